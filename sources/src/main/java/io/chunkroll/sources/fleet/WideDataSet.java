package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The wide data: devices, each with a row of many random values a step, some of them late or empty where that is asked for. */
final class WideDataSet extends DataSet {
    private static final long serialVersionUID = 1L;

    private static final FleetDefaults DEFAULTS = FleetDefaults.ofDevices(100_000, Duration.ofSeconds(1));
    private static final List<Index> INDEXES = List.of(Index.parse("tag_id, ts"));

    /** As in the study's generators. */
    private static final Duration MOST_LATE = Duration.ofDays(1);

    private final WideOptions options;
    private final TableDescription table;

    WideDataSet(WideOptions options) {
        super("wide");
        this.options = options;
        table = new TableDescription(columns(options), 0, 1);
    }

    private static List<Column> columns(WideOptions options) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("ts", ColumnType.TIMESTAMP, "timestamp without time zone", false));
        columns.add(new Column("tag_id", ColumnType.INT4, "integer", false));
        switch (options.valueType()) {
            case INT -> addEach(columns, options.columns(), ColumnType.INT4, "integer");
            case FLOAT4 -> addEach(columns, options.columns(), ColumnType.FLOAT4, "real");
            case FLOAT8 -> addEach(columns, options.columns(), ColumnType.FLOAT8, "double precision");
            case JSON -> columns.add(new Column("c", ColumnType.JSONB, "jsonb", false));
            case ARRAY -> columns.add(new Column("c", ColumnType.OTHER, "integer[]", false));
        }
        return columns;
    }

    private static void addEach(List<Column> columns, int count, ColumnType type, String sqlType) {
        for (int i = 1; i <= count; i++) {
            columns.add(new Column("c" + i, type, sqlType, false));
        }
    }

    @Override
    public FleetDefaults defaults() {
        return DEFAULTS;
    }

    @Override
    public TableDescription table() {
        return table;
    }

    @Override
    public List<Index> indexes() {
        return INDEXES;
    }

    @Override
    RowGenerator generator(FleetOptions fleet, int firstDevice, int devices) {
        return new WideRows(fleet, options, firstDevice);
    }

    @Override
    int bytesPerDevice() {
        return 0;
    }

    @Override
    Duration mostLate() {
        return options.disorder() > 0 ? MOST_LATE : Duration.ZERO;
    }

    @Override
    int valuesPerRow() {
        return options.columns();
    }

    @Override
    public String toString() {
        return name() + " (" + options + ')';
    }
}
