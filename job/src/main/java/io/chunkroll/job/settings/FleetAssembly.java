package io.chunkroll.job.settings;

import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.FleetDefaults;
import io.chunkroll.sources.fleet.FleetOptions;
import io.chunkroll.sources.fleet.HeapShare;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.flink.util.TimeUtils;

/** Puts together what is generated. */
final class FleetAssembly {
    private final SettingsReader reader;
    private final boolean local;

    /** @param local whether the rows are generated in this process */
    FleetAssembly(SettingsReader reader, boolean local) {
        this.reader = reader;
        this.local = local;
    }

    /** Empty after a fault. */
    Optional<FleetOptions> fleet(DataSet dataset) {
        Long rows = reader.value(AllSettings.ROWS);
        Long devices = devices(dataset);
        Instant start = start();
        reader.byDefault(
                AllSettings.INTERVAL,
                TimeUtils.formatWithHighestUnit(dataset.defaults().interval()));
        Duration interval = reader.value(AllSettings.INTERVAL);
        Long seed = reader.value(AllSettings.SEED);
        OptionalLong rate = reader.value(AllSettings.RATE);
        if (Stream.of(rows, devices, start, interval, seed, rate).anyMatch(v -> v == null)) {
            return Optional.empty();
        }
        int count = Math.toIntExact(devices);
        double perSecond = rate.isPresent() ? rate.getAsLong() : FleetOptions.realTimeRate(dataset, count, interval);
        try {
            FleetOptions fleet = new FleetOptions(dataset, rows, count, start, interval, seed, perSecond);
            if (local) {
                HeapShare.fault(count, fleet).ifPresent(reader::fault);
            }
            return Optional.of(fleet);
        } catch (IllegalArgumentException e) {
            reader.fault(e.getMessage());
            return Optional.empty();
        }
    }

    /** Null after a fault. */
    private Long devices(DataSet dataset) {
        FleetDefaults defaults = dataset.defaults();
        if (defaults.numbered()) {
            reader.refuse(
                    AllSettings.DEVICES,
                    "has no meaning with source.dataset " + dataset.name() + ", whose rows are of no devices");
            return (long) defaults.devices();
        }
        reader.byDefault(AllSettings.DEVICES, Integer.toString(defaults.devices()));
        return reader.value(AllSettings.DEVICES);
    }

    /** A load that is begun again must make the same rows: where settings are read anew by then, the time must be given. */
    private Instant start() {
        Instant start = reader.value(AllSettings.START);
        if (reader.is(AllSettings.START, AllSettings.NOW)) {
            if (!local) {
                reader.fault(
                        "source.start: now is for a run on this machine. A job on a cluster reads its settings again when its"
                                + " JobManager fails over or it goes on from a savepoint, and would make other rows than before, and a file is"
                                + " to be the same whenever it is made: give the time");
            }
            reader.resolve(AllSettings.START, start.toString());
        }
        return start;
    }
}
