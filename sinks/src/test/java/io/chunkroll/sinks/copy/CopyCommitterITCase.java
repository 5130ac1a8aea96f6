package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.copy.CopyCommittable.Prepared;
import io.chunkroll.sinks.metrics.CommitMetrics;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.transaction.TransactionId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.connector.sink2.Committer.CommitRequest;
import org.apache.flink.runtime.metrics.groups.InternalSinkCommitterMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the committer makes of a transaction: it is there, committed before, rolled back by somebody, or forgotten. */
@Timeout(60)
class CopyCommitterITCase {
    private TestDatabase database;
    private TransactionId id;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        Fleet.create(Fleet.options(database), Layout.PLAIN);
        id = TransactionId.next("p-" + database.schema(), 0, 1);
    }

    @AfterEach
    void close() throws SQLException {
        database.close();
    }

    private Prepared prepare() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO fleet VALUES (now(), 'a', 1, 1)");
            ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text");
            row.next();
            String xid = row.getString(1);
            statement.execute("PREPARE TRANSACTION '" + id.gid() + "'");
            return new Prepared(id, xid, 1, 10);
        }
    }

    /** A request as Flink makes it. */
    private static final class Request implements CommitRequest<CopyCommittable> {
        private final CopyCommittable committable;
        private boolean alreadyCommitted;

        private Request(CopyCommittable committable) {
            this.committable = committable;
        }

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
            throw new AssertionError("rows would be lost", reason);
        }

        @Override
        public void signalFailedWithUnknownReason(Throwable reason) {
            throw new AssertionError("rows would be lost", reason);
        }

        @Override
        public void retryLater() {
            throw new AssertionError("tries by itself");
        }

        @Override
        public void updateAndRetryLater(CopyCommittable other) {
            throw new AssertionError("tries by itself");
        }

        @Override
        public void signalAlreadyCommitted() {
            alreadyCommitted = true;
        }
    }

    /** Returns whether it had been committed before. */
    private boolean commit(Prepared prepared) throws Exception {
        Request request = new Request(prepared);
        CopyConnection connection = new CopyConnection(Fleet.options(database), "commit 0");
        try (CopyCommitter committer = new CopyCommitter(
                connection,
                new RetryPolicy(Duration.ofSeconds(5)),
                new CommitMetrics(InternalSinkCommitterMetricGroup.wrap(
                        UnregisteredMetricGroups.createUnregisteredOperatorMetricGroup())),
                OptionalLong.empty(),
                Optional.empty())) {
            committer.commit(List.of(request));
        }
        return request.alreadyCommitted;
    }

    private String rows() throws SQLException {
        return Fleet.one(Fleet.options(database), "SELECT count(*) FROM fleet");
    }

    @Test
    void commitsOnceHoweverOftenItIsTold() throws Exception {
        Prepared prepared = prepare();
        assertThat(rows()).isEqualTo("0");
        assertThat(commit(prepared)).isFalse();
        assertThat(rows()).isEqualTo("1");
        assertThat(commit(prepared)).isTrue();
        assertThat(rows()).isEqualTo("1");
    }

    @Test
    void oneThatSomebodyRolledBackIsNeverTakenForCommitted() throws Exception {
        Prepared prepared = prepare();
        database.execute("ROLLBACK PREPARED '" + id.gid() + "'");
        assertThatThrownBy(() -> commit(prepared))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("holds 1 rows")
                .hasMessageContaining("rolled back by somebody else");
    }

    /** Transaction 3 is of before the server's first vacuum. */
    @Test
    void oneThatTheServerHasForgottenIsNeverTakenForCommitted() {
        assertThatThrownBy(() -> commit(new Prepared(id, "3", 7, 10)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("7 rows")
                .hasMessageContaining("found out by hand");
    }

    /** As on a server that was set back to an older copy. */
    @Test
    void oneThatTheServerHasNotReachedYetIsNeverTakenForCommitted() {
        assertThatThrownBy(() -> commit(new Prepared(id, "999999999999", 7, 10)))
                .isInstanceOf(CopyException.class)
                .hasMessageContaining("7 rows")
                .hasMessageContaining("in the future");
    }
}
