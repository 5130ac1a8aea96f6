package io.chunkroll.sinks.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PreparedTransactionsITCase {
    private TestDatabase database;
    private String prefix;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        prefix = "p-" + database.schema();
        connection = Fleet.options(database).connect("test");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    private static int pid(Connection of) throws SQLException {
        try (Statement statement = of.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void signal(String signal, int pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Integer.toString(pid))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    /** A URL may name its application; writers that should be dead are found all the same. */
    @Test
    void writersAreFoundWhateverTheUrlSays() throws SQLException {
        ConnectionOptions plain = Fleet.options(database);
        ConnectionOptions named = new ConnectionOptions(
                plain.url() + (plain.url().contains("?") ? '&' : '?') + "ApplicationName=nightly",
                plain.user(),
                plain.password());
        try (Connection writer = named.connect(PreparedTransactions.purpose(prefix, 3))) {
            assertThat(PreparedTransactions.liveWriters(connection, prefix)).containsExactly(pid(writer));
            assertThat(PreparedTransactions.liveWriters(connection, prefix + "x"))
                    .isEmpty();
        }
    }

    @Test
    void recoveryEndsItsWritersAndNoOthers() throws SQLException {
        ConnectionOptions options = Fleet.options(database);
        try (Connection mine = options.connect(PreparedTransactions.purpose(prefix, 2));
                Connection others = options.connect(PreparedTransactions.purpose(prefix, 1))) {
            new Recovery(0, 2, OptionalLong.empty()).of(connection, prefix);
            assertThat(mine.isValid(5)).isFalse();
            assertThat(others.isValid(5)).isTrue();
        }
    }

    /** What a backend prepares later that cannot be ended now, nobody would ever find. */
    @Test
    void aBackendThatDoesNotEndIsAnErrorThatPasses() throws Exception {
        try (Connection frozen = Fleet.options(database).connect(PreparedTransactions.purpose(prefix, 0))) {
            int pid = pid(frozen);
            signal("STOP", pid);
            try {
                assertThatThrownBy(() -> PreparedTransactions.end(connection, pid))
                        .isInstanceOf(SQLTransientException.class)
                        .hasMessageContaining("backend " + pid);
            } finally {
                signal("CONT", pid);
            }
            assertThatCode(() -> PreparedTransactions.end(connection, pid)).doesNotThrowAnyException();
        }
    }

    @Test
    void namesThatOthersGaveAreLeftAlone() throws SQLException {
        String[] strange = {
            "chunkroll:" + prefix + ":99999999999:1:ab",
            "chunkroll:" + prefix + ":1:99999999999999999999:ab",
            "chunkroll:" + prefix + ":1"
        };
        for (String gid : strange) {
            database.execute("BEGIN; CREATE TABLE \"" + gid + "\" (); PREPARE TRANSACTION '" + gid + "'");
        }
        try {
            assertThat(PreparedTransactions.list(connection, prefix)).isEmpty();
        } finally {
            for (String gid : strange) {
                database.execute("ROLLBACK PREPARED '" + gid + "'");
            }
        }
    }
}
