package io.chunkroll.sinks.table;

import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.time.Duration;
import java.util.List;

/**
 * A table to make.
 *
 * @param columns its columns and which of them is the time
 * @param layout how it is stored
 * @param chunkInterval the time that a chunk or a native partition covers; without a meaning for a plain table
 * @param indexes what is indexed from the start
 */
public record TableDefinition(TableDescription columns, Layout layout, Duration chunkInterval, List<Index> indexes) {

    public TableDefinition {
        indexes = List.copyOf(indexes);
    }
}
