package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.copy.CommitCutter.Cut;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that come again, from one writer or from several at once: each is in the table once, and the counts add up. */
@Timeout(120)
class ConflictingWritersITCase {
    private TestDatabase database;
    private ConnectionOptions options;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        options = Fleet.options(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private TargetTable table(Layout layout) throws SQLException {
        TargetTable table = Fleet.create(options, layout);
        database.execute("CREATE UNIQUE INDEX ON fleet (host, time)");
        return table;
    }

    private LoadingWriter writer(ConnectionOptions through, TargetTable table, OnConflict mode) throws SQLException {
        try (Connection connection = options.connect("test")) {
            Conflicts conflicts = Conflicts.of(connection, table, Fleet.COLUMNS, mode);
            RowsLoad rows = new ConflictLoad(table, Fleet.COLUMNS, conflicts, CopyFilter.NONE);
            return new LoadingWriter(through, table, 1_000, Duration.ofSeconds(60), rows);
        }
    }

    private static void assertCounts(LoadingWriter writer, long inserted, long skipped, long replaced) {
        assertThat(writer.counters.count("numRecordsSend")).isEqualTo(inserted + skipped + replaced);
        assertThat(writer.counters.count(SinkMetrics.SKIPPED)).isEqualTo(skipped);
        assertThat(writer.counters.count(SinkMetrics.REPLACED)).isEqualTo(replaced);
    }

    @ParameterizedTest
    @EnumSource(names = {"SKIP", "REPLACE"})
    void rowsThatComeAgainAfterAFailureOfTheJob(OnConflict mode) throws Exception {
        TargetTable table = table(Layout.HYPERTABLE);
        try (LoadingWriter writer = writer(options, table, mode)) {
            writer.write(3_500).flush();
        }
        try (LoadingWriter writer = writer(options, table, mode)) {
            writer.rewindTo(1_200).write(4_000).flush();
            assertCounts(writer, 1_700, mode == OnConflict.SKIP ? 2_300 : 0, mode == OnConflict.REPLACE ? 2_300 : 0);
        }
        Fleet.assertHolds(options, 5_200);
    }

    /** Whether the commit arrived or not, the batch counts once, and as it was. */
    @ParameterizedTest
    @CsvSource({
        "SKIP, ARRIVES",
        "SKIP, IS_LOST",
        "SKIP, IS_LOST_SILENTLY",
        "REPLACE, ARRIVES",
        "REPLACE, IS_LOST",
        "REPLACE, IS_LOST_SILENTLY"
    })
    void aCommitWithoutAnAnswer(OnConflict mode, Cut cut) throws Exception {
        TargetTable table = table(Layout.PLAIN);
        try (LoadingWriter writer = writer(options, table, mode)) {
            writer.write(500).flush();
        }
        int port = database.server().port();
        try (CommitCutter cutter = new CommitCutter(port, cut)) {
            String url = database.url().replace(":" + port + "/", ":" + cutter.port() + "/");
            ConnectionOptions through = new ConnectionOptions(url, database.user(), database.password());
            try (LoadingWriter writer = writer(through, table, mode)) {
                writer.write(2_500).flush();
                assertCounts(writer, 2_000, mode == OnConflict.SKIP ? 500 : 0, mode == OnConflict.REPLACE ? 500 : 0);
            }
            assertThat(cutter.commits()).isGreaterThan(1);
        }
        Fleet.assertHolds(options, 2_500);
    }

    @ParameterizedTest
    @EnumSource(names = {"SKIP", "REPLACE"})
    void connectionsEndedAgainAndAgain(OnConflict mode) throws Exception {
        TargetTable table = table(Layout.HYPERTABLE);
        try (LoadingWriter writer = writer(options, table, mode)) {
            for (int i = 0; i < 8; i++) {
                writer.write(2_250);
                Fleet.one(
                        options,
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                + " WHERE application_name = 'chunkroll copy 0'");
            }
            writer.flush();
            assertCounts(writer, 18_000, 0, 0);
        }
        Fleet.assertHolds(options, 18_000);
    }

    /** Two writers with the same rows, from both ends of them, so that their batches meet. */
    @ParameterizedTest
    @CsvSource({"SKIP, PLAIN", "SKIP, HYPERTABLE", "REPLACE, PLAIN", "REPLACE, HYPERTABLE"})
    void writersWithTheSameRowsAtOnce(OnConflict mode, Layout layout) throws Exception {
        TargetTable table = table(layout);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<LoadingWriter> writers = List.of(writer(options, table, mode), writer(options, table, mode));
        try {
            List<Future<?>> loads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int shift = 5_300 * i;
                LoadingWriter writer = writers.get(i);
                loads.add(threads.submit(() -> {
                    writer.rewindTo(shift).write(20_000 - shift);
                    writer.rewindTo(0).write(shift).flush();
                    return null;
                }));
            }
            for (Future<?> load : loads) {
                load.get(100, TimeUnit.SECONDS);
            }
            Fleet.assertHolds(options, 20_000);
            long others = writers.stream()
                    .mapToLong(writer ->
                            writer.counters.count(SinkMetrics.SKIPPED) + writer.counters.count(SinkMetrics.REPLACED))
                    .sum();
            assertThat(others).isEqualTo(20_000);
        } finally {
            writers.forEach(LoadingWriter::close);
            threads.shutdownNow();
        }
    }
}
