package io.chunkroll.sources.fleet;

import java.time.Duration;
import java.time.Instant;

/** Settings for tests: cpu data as the published study has them, in small. */
final class Fleets {
    static final Instant START = Instant.parse("2016-01-01T00:00:00Z");
    static final Duration INTERVAL = Duration.ofSeconds(10);
    static final long SEED = 123;

    private Fleets() {}

    static FleetOptions of(DataSet dataset, long rows, int devices) {
        return new FleetOptions(dataset, rows, devices, START, INTERVAL, SEED, 0);
    }

    static FleetOptions cpu(long rows, int devices) {
        return cpu(rows, devices, SEED);
    }

    static FleetOptions cpu(long rows, int devices, long seed) {
        return new FleetOptions(DataSets.CPU, rows, devices, START, INTERVAL, seed, 0);
    }

    static FleetOptions paced(long rows, int devices, long rate) {
        return new FleetOptions(DataSets.CPU, rows, devices, START, INTERVAL, SEED, rate);
    }
}
