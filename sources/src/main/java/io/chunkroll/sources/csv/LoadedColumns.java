package io.chunkroll.sources.csv;

import io.chunkroll.rows.TableDescription;
import java.io.Serializable;
import java.util.List;

/**
 * The columns that a load fills.
 *
 * @param table all columns of the table
 * @param indexes those that are loaded, in the order in which tuples hold them
 */
record LoadedColumns(TableDescription table, List<Integer> indexes) implements Serializable {
    LoadedColumns {
        indexes = List.copyOf(indexes);
    }

    /** The table narrowed to what tuples hold. */
    TableDescription narrowed() {
        return table.select(indexes);
    }

    String name(int index) {
        return table.columns().get(index).name();
    }
}
