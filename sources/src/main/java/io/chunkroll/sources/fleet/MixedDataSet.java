package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The mixed data: a time and a number that grow with each row, ten random integers, nine random texts.
 *
 * <p>It has no partition key: a row's number is its own, so no two rows have anything to do with each other, and in the order of time,
 * in which batches are then sorted, an index on {@code time} and one on {@code id} both grow at their ends.
 */
final class MixedDataSet extends DataSet {
    private static final long serialVersionUID = 1L;

    static final int INTEGERS = 10;
    static final int TEXTS = 9;

    private static final FleetDefaults DEFAULTS =
            FleetDefaults.ofNumberedRows(Duration.ofSeconds(1), Duration.ofDays(7));
    private static final TableDescription TABLE = new TableDescription(columns(), 0, TableDescription.NONE);
    private static final List<Index> INDEXES = List.of(Index.parse("time"));

    MixedDataSet() {
        super("mixed");
    }

    private static List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("time", ColumnType.TIMESTAMPTZ, "timestamp with time zone", true));
        columns.add(new Column("id", ColumnType.INT4, "integer", false));
        for (int i = 2; i < 2 + INTEGERS; i++) {
            columns.add(new Column("col" + i, ColumnType.INT4, "integer", false));
        }
        for (int i = 2 + INTEGERS; i < 2 + INTEGERS + TEXTS; i++) {
            columns.add(new Column("col" + i, ColumnType.VARCHAR, "character varying(30)", false));
        }
        return columns;
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
        return new MixedRows(fleet, firstDevice);
    }

    @Override
    int bytesPerDevice() {
        return 0;
    }
}
