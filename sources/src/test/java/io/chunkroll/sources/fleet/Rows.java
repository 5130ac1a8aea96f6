package io.chunkroll.sources.fleet;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads and makes cpu rows for assertions. */
final class Rows {
    private static final int METRICS = 10;

    private Rows() {}

    /** All rows of a fleet in their order, made in the plainest way. */
    static List<Tuple> all(FleetOptions fleet) {
        TupleFields fields = TupleFields.of(fleet.dataset().table());
        RowGenerator rows = fleet.dataset().generator(fleet, 0, fleet.devices());
        List<Tuple> all = new ArrayList<>();
        for (long row = 0; row < fleet.rows(); row++) {
            rows.write((int) (row % fleet.devices()), row / fleet.devices(), fields);
            all.add(fields.tuple().copy());
        }
        return all;
    }

    static List<Tuple> sorted(List<Tuple> rows) {
        return rows.stream()
                .sorted(Comparator.comparing(Tuple::time).thenComparing(Rows::host))
                .toList();
    }

    static String host(Tuple tuple) {
        return new String(tuple.bytes(), tuple.keyOffset(), tuple.keyLength(), StandardCharsets.UTF_8);
    }

    static long step(Tuple tuple) {
        return (tuple.time() - Fleets.START.toEpochMilli() * 1000) / (Fleets.INTERVAL.toMillis() * 1000);
    }

    /** The ten metrics, read from the encoded row: they are its end, each eight bytes behind a length of four. */
    static double[] metrics(Tuple tuple) {
        double[] metrics = new double[METRICS];
        for (int i = 0; i < METRICS; i++) {
            int at = tuple.length() - (METRICS - i) * (Integer.BYTES + Double.BYTES) + Integer.BYTES;
            metrics[i] = Double.longBitsToDouble(BigEndian.getLong(tuple.bytes(), at));
        }
        return metrics;
    }
}
