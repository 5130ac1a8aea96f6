package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.metrics.CommitMetrics;
import io.chunkroll.sinks.reject.PendingRejects;
import io.chunkroll.sinks.reject.RejectFolder;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.transaction.TransactionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.flink.api.connector.sink2.Committer.CommitRequest;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.groups.InternalSinkCommitterMetricGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint's transactions and rejects, of which one cannot be made final. */
@Timeout(60)
class CommittedRejectsITCase {
    private static final String PREFIX = "committer-test";

    @TempDir
    Path folder;

    private TestDatabase database;
    private ConnectionOptions options;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabase.create();
        options = Fleet.options(database);
        database.execute("CREATE TABLE t (n int)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private CopyCommittable prepared() throws Exception {
        TransactionId id = TransactionId.next(PREFIX, 0, 1);
        try (Connection connection = options.connect("test");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            statement.execute("PREPARE TRANSACTION '" + id.gid() + "'");
        }
        return new CopyCommittable.Prepared(id, "0", 1, 1);
    }

    private CopyCommittable rejects(String name) {
        String file = folder.resolve(name).toUri().toString();
        return new CopyCommittable.Rejects(new PendingRejects(file, 1, "came from no file: why"));
    }

    private void commit(CopyCommittable... committables) throws Exception {
        CommitMetrics metrics = new CommitMetrics(
                InternalSinkCommitterMetricGroup.wrap(UnregisteredMetricsGroup.createOperatorMetricGroup()));
        RejectFolder rejects =
                new RejectFolder(new RejectOptions(folder.toUri().toString(), PREFIX, RejectOptions.NO_LIMIT));
        try (CopyCommitter committer = new CopyCommitter(
                new CopyConnection(options, "commit 0"),
                new RetryPolicy(Duration.ofSeconds(1)),
                metrics,
                OptionalLong.empty(),
                Optional.of(rejects))) {
            committer.commit(Stream.of(committables)
                    .<CommitRequest<CopyCommittable>>map(Request::new)
                    .toList());
        }
    }

    /** Nothing holds up the rows, which others wait for; the job comes to the same checkpoint again and is told again. */
    @Test
    void aMissingFileOfRejectsLeavesNoTransactionBehind() throws Exception {
        String name = ".rejects-" + PREFIX + "-0-1-ab";
        CopyCommittable rows = prepared();
        assertThatThrownBy(() -> commit(rejects(name), rows))
                .hasMessageContaining(name + " with 1 rejected rows is not there");
        assertThat(database.count("SELECT count(*) FROM t")).isEqualTo(1);
        assertThatThrownBy(() -> commit(rejects(name))).hasMessageContaining("is not there");

        Files.createFile(folder.resolve(name));
        commit(rejects(name));
        commit(rejects(name));
        assertThat(folder.resolve("rejects-" + PREFIX + "-0-1-ab-1.jsonl")).exists();
    }

    /** What Flink hands a committer. */
    private record Request(CopyCommittable committable) implements CommitRequest<CopyCommittable> {
        @Override
        public CopyCommittable getCommittable() {
            return committable;
        }

        @Override
        public int getNumberOfRetries() {
            return 0;
        }

        @Override
        public void signalFailedWithKnownReason(Throwable reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void signalFailedWithUnknownReason(Throwable reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void retryLater() {
            throw new AssertionError("not asked for");
        }

        @Override
        public void updateAndRetryLater(CopyCommittable other) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void signalAlreadyCommitted() {
            throw new AssertionError("it was not");
        }
    }
}
