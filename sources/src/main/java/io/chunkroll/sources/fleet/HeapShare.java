package io.chunkroll.sources.fleet;

import java.util.Locale;
import java.util.Optional;

/** Whether the heap of this process can hold what generators keep of their devices. */
public final class HeapShare {
    /** Flink, buffers and batches need the rest. */
    private static final double MOST = 0.5;

    private static final double MIB = 1 << 20;

    private HeapShare() {}

    /** What is wrong with so many of a fleet's devices being generated in this process; empty if nothing is. */
    public static Optional<String> fault(long devices, FleetOptions fleet) {
        return fault(devices, fleet.dataset(), Runtime.getRuntime().maxMemory());
    }

    static Optional<String> fault(long devices, DataSet dataset, long heap) {
        long needed = devices * dataset.bytesPerDevice();
        long most = (long) (heap * MOST);
        return needed <= most
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "source.devices: %,d devices of source.dataset %s keep %,.0f MB of heap for their values, but of this"
                                + " process's %,.0f MB they may have no more than %,.0f: give fewer devices (%,d at most), or a"
                                + " larger heap (-Xmx)",
                        devices,
                        dataset.name(),
                        needed / MIB,
                        heap / MIB,
                        most / MIB,
                        most / dataset.bytesPerDevice()));
    }
}
