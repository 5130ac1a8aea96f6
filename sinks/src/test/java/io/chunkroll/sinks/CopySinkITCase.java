package io.chunkroll.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.copy.BatchLimits;
import io.chunkroll.sinks.copy.CopyOptions;
import io.chunkroll.sinks.copy.CopySink;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopySinkITCase extends SinkContract {

    @Override
    Sink<Tuple> sink(TargetTable table, TableDescription columns, Batching batching) {
        BatchLimits limits = new BatchLimits(batching.rows(), batching.bytes(), batching.age());
        return CopySink.ofTuples(
                new CopyOptions(options, limits, batching.sorted(), Duration.ofSeconds(30), true, Fleet.CHUNK),
                table,
                columns);
    }

    @Test
    void aBatchEndsAtItsLimitOfBytes() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        load(table, 1_000, 1, new Batching(1_000_000, 5_000, Batching.LONG, true), false);
        Fleet.assertHolds(options, 1_000);
        assertThat(database.count("SELECT count(DISTINCT xmin::text) FROM fleet"))
                .isBetween(8L, 12L);
    }

    /** {@code ctid} is where a row stands in the heap, so that its order is the order of their coming. */
    @ParameterizedTest
    @CsvSource({"true, 'host COLLATE \"C\", time'", "false, n"})
    void rowsOfABatchAreSentByHostOrAsTheyCame(boolean sorted, String order) throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        load(table, 3_000, 1, new Batching(1_500, Long.MAX_VALUE, Batching.LONG, sorted), false);
        Fleet.assertHolds(options, 3_000);
        assertThat(database.count(
                        "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY xmin::text ORDER BY ctid) AS came,"
                                + " row_number() OVER (PARTITION BY xmin::text ORDER BY " + order
                                + ") AS wanted FROM fleet) r"
                                + " WHERE came <> wanted"))
                .isZero();
    }

    /** The connector of the JDBC sink waits on the task's own thread, which nothing interrupts. */
    @Test
    void aCancelledJobEndsThoughTheServerDoesNotAnswer() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        try (Connection locker = options.connect("lock");
                Statement lock = locker.createStatement()) {
            locker.setAutoCommit(false);
            lock.execute("LOCK TABLE fleet IN ACCESS EXCLUSIVE MODE");
            JobClient job = start(table, 10_000, 2, Batching.ofRows(100), true);
            await().until(() -> Fleet.one(options, "SELECT count(*) FROM pg_locks WHERE NOT granted")
                    .equals("2"));
            job.cancel().get(60, TimeUnit.SECONDS);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> job.getJobStatus().get(10, TimeUnit.SECONDS) == JobStatus.CANCELED);
        }
        awaitNoConnections();
    }
}
