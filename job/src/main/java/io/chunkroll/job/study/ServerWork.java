package io.chunkroll.job.study;

import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.server.ServerUsage;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a load by another program costs the server, from when it begins. */
final class ServerWork {
    private static final String WAL =
            "SELECT CASE WHEN NOT pg_is_in_recovery() THEN (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint END";

    private final Target target;
    private final Optional<ServerUsage> usage;
    private final long walBefore;

    private ServerWork(Target target) throws SQLException {
        this.target = target;
        try (Connection connection = target.connect("study")) {
            walBefore = wal(connection);
        }
        usage = target.usage();
    }

    static ServerWork begin(Target target) throws SQLException {
        return new ServerWork(target);
    }

    /** What it came to by now, with the sizes of the table that the settings name. */
    Map<Figure, OptionalDouble> figures(Settings settings, long rows) throws SQLException {
        Map<Figure, OptionalDouble> figures = new EnumMap<>(Figure.class);
        usage.map(ServerUsage::sample).ifPresent(sample -> {
            figures.put(Figure.SERVER_CPU, Figure.aRow(sample.cpuSeconds(), rows));
            figures.put(
                    Figure.DISK_WRITE_BYTES,
                    sample.diskWriteBytes().isPresent()
                            ? OptionalDouble.of((double) sample.diskWriteBytes().getAsLong())
                            : OptionalDouble.empty());
        });
        try (Connection connection = target.connect("study")) {
            figures.put(Figure.WAL_BYTES, OptionalDouble.of((double) (wal(connection) - walBefore)));
            TargetTable table = TargetTable.read(
                            connection, TableName.parse(settings.sink().table()))
                    .orElseThrow();
            figures.put(Figure.TABLE_BYTES, OptionalDouble.of((double) table.tableBytes(connection)));
            figures.put(Figure.INDEX_BYTES, OptionalDouble.of((double) table.indexBytes(connection)));
        }
        return figures;
    }

    private static long wal(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(WAL)) {
            row.next();
            return row.getLong(1);
        }
    }
}
