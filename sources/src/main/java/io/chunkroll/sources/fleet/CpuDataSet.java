package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The cpu data: a time, a host's name, and ten percentages that each walk at random. */
final class CpuDataSet extends DataSet {
    private static final long serialVersionUID = 1L;

    static final List<String> METRICS = List.of(
            "usage_user",
            "usage_system",
            "usage_idle",
            "usage_nice",
            "usage_iowait",
            "usage_irq",
            "usage_softirq",
            "usage_steal",
            "usage_guest",
            "usage_guest_nice");

    private static final TableDescription TABLE = new TableDescription(
            Stream.concat(
                            Stream.of(
                                    new Column("time", ColumnType.TIMESTAMPTZ, "timestamp with time zone", true),
                                    new Column("hostname", ColumnType.TEXT, "text", false)),
                            METRICS.stream()
                                    .map(name -> new Column(name, ColumnType.FLOAT8, "double precision", false)))
                    .toList(),
            0,
            1);

    private static final FleetDefaults DEFAULTS = FleetDefaults.ofDevices(4_000, Duration.ofSeconds(10));
    private static final List<Index> INDEXES = List.of(Index.parse("time desc"), Index.parse("hostname, time desc"));

    CpuDataSet() {
        super("cpu");
    }

    @Override
    public FleetDefaults defaults() {
        return DEFAULTS;
    }

    @Override
    public TableDescription table() {
        return TABLE;
    }

    @Override
    public List<Index> indexes() {
        return INDEXES;
    }

    @Override
    RowGenerator generator(FleetOptions fleet, int firstDevice, int devices) {
        return new CpuRows(fleet, firstDevice, devices);
    }

    @Override
    int bytesPerDevice() {
        return METRICS.size() * Long.BYTES;
    }
}
