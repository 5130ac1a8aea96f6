package io.chunkroll.sinks.copy;

import static java.util.Comparator.comparingLong;

import io.chunkroll.sinks.table.BarePartitions;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Copies rows of a partitioned table into partitions that are not attached yet, each into the one of its time: a COPY for each stretch of
 * rows that agree in it. Rows for which the parent has a partition already go through the parent.
 */
final class PartitionsApart implements RowsLoad {
    /** In place of an interval: for rows whose time is none that a partition covers. */
    private static final long NO_INTERVAL = Long.MIN_VALUE;

    private static final int MOST_A_BATCH = 1_000;

    private final ConnectionOptions options;
    private final BarePartitions partitions;
    private final TableName table;
    private final Function<TableName, CopyStatement> copyInto;
    private final boolean sorted;
    private final CopyStatement parent;
    private final Map<Long, CopyStatement> statements = new HashMap<>();

    /** @param copyInto the COPY into the table or into a partition */
    PartitionsApart(
            ConnectionOptions options,
            BarePartitions partitions,
            TableName table,
            Function<TableName, CopyStatement> copyInto,
            boolean sorted) {
        this.options = options;
        this.partitions = partitions;
        this.table = table;
        this.copyInto = copyInto;
        this.sorted = sorted;
        parent = copyInto.apply(table);
        statements.put(NO_INTERVAL, parent);
    }

    /** The load, after the partitions of a batch's rows are made, over another connection. */
    BatchLoad before(BatchLoad load) {
        return (connection, batch) -> {
            makeFor(batch);
            return load.load(connection, batch);
        };
    }

    private void makeFor(Batch batch) throws SQLException {
        long[] missing = IntStream.range(0, batch.rows())
                .mapToLong(row -> interval(batch, row))
                .filter(interval -> !statements.containsKey(interval))
                .distinct()
                .toArray();
        if (missing.length == 0) {
            return;
        }
        if (missing.length > MOST_A_BATCH) {
            throw new TargetException("A batch for table " + table + " needs " + missing.length
                    + " new partitions, more than " + MOST_A_BATCH
                    + "; set a larger sink.chunk-interval, or sort the input by time");
        }
        try (Connection connection = ChunkMaker.connect(options, "partitions")) {
            for (long interval : missing) {
                Optional<TableName> partition = partitions.ensure(connection, interval);
                statements.put(interval, partition.map(copyInto).orElse(parent));
            }
        }
    }

    private long interval(Batch batch, int row) {
        return batch.hasFiniteTime(row) ? partitions.intervalOf(batch.time(row)) : NO_INTERVAL;
    }

    /** Those of an interval together. */
    @Override
    public int[] order(Batch batch) {
        int[] order = sorted ? batch.order() : batch.arrival();
        if (batch.minTime() <= batch.maxTime()
                && partitions.intervalOf(batch.minTime()) == partitions.intervalOf(batch.maxTime())) {
            return order;
        }
        return IntStream.range(0, batch.rows())
                .mapToObj(at -> order[at])
                .sorted(comparingLong(row -> interval(batch, row)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Override
    public Loaded load(Connection connection, Batch batch, int[] order, int from, int to) throws SQLException {
        long stored = 0;
        int at = from;
        while (at < to) {
            CopyStatement statement = statements.get(interval(batch, order[at]));
            int end = at + 1;
            while (end < to && statements.get(interval(batch, order[end])) == statement) {
                end++;
            }
            stored += statement.copy(connection, batch, order, at, end);
            at = end;
        }
        return Loaded.inserted(stored).withFiltered(to - from - stored);
    }
}
