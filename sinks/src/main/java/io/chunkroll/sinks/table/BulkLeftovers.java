package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bulk loads that were broken off, known by the mark of their table and by a lock that nobody holds. */
public final class BulkLeftovers {
    private BulkLeftovers() {}

    /**
     * Does nothing if no bulk load into the table is unfinished.
     *
     * @throws TargetException if one is, with what is there and how to go on
     */
    public static void refuse(Connection connection, TargetTable table) throws SQLException {
        if (!isMarked(connection, table.name())) {
            return;
        }
        throw isRunning(connection, table.name())
                ? running(table.name())
                : new TargetException(words(connection, table.name()));
    }

    /** What each bulk load that was broken off has left, or that it is going on, by table. */
    public static List<String> list(Connection connection) throws SQLException {
        List<String> words = new ArrayList<>();
        for (TableName table : BulkMark.tables(connection)) {
            words.add(isRunning(connection, table) ? running(table).getMessage() : words(connection, table));
        }
        return words;
    }

    static boolean isMarked(Connection connection, TableName table) throws SQLException {
        return BulkMark.read(connection, table).isPresent()
                || !BulkMark.partitions(connection, table).isEmpty();
    }

    static TargetException running(TableName table) {
        return new TargetException("A bulk load into table " + table + " is going on: wait for its end");
    }

    static String words(Connection connection, TableName table) throws SQLException {
        Optional<BulkMark> mark = BulkMark.read(connection, table);
        int indexes = mark.map(found -> found.indexes().size()).orElse(0);
        int partitions = BulkMark.partitions(connection, table).size();
        boolean loaded = mark.isPresent() && mark.get().loaded();
        String missing = partitions > 0
                ? partitions + " partitions without indexes, which are not attached"
                : "the table, of whose indexes up to " + indexes + " are missing";
        return "A bulk load into table " + table + " was broken off "
                + (loaded ? "when all its rows were there" : "before all its rows were there")
                + ". What it committed is in " + missing + ". 'chunkroll leftovers --finish --sink.table " + table
                + "' keeps these rows and builds what is missing, --discard in its place removes them"
                + (partitions > 0 ? "" : " and all other rows of the table")
                + "; sink.create recreate drops the table with everything in it and begins anew";
    }

    private static boolean isRunning(Connection connection, TableName table) throws SQLException {
        return !lock(connection, table, "pg_try_advisory_lock") || !lock(connection, table, "pg_advisory_unlock");
    }

    /** By session: a lock is held as long as this connection. */
    static boolean lock(Connection connection, TableName table, String function) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT " + function + "(hashtextextended(?, 0))")) {
            statement.setString(1, "chunkroll bulk " + table.sql());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }
}
