package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads into a server with a certificate: the driver's TLS settings in the URL reach every connection. */
@Timeout(120)
final class TlsITCase {
    @TempDir
    static Path shared;

    private static Certificates certificates;
    private static PostgresServer server;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws Exception {
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwx--x--x"));
        certificates = Certificates.make(shared.resolve("certificates"));
        server = PostgresServer.startPrivate(Map.of(
                "ssl", "on",
                "ssl_cert_file", certificates.ofServer().toString(),
                "ssl_key_file", certificates.keyOfServer().toString()));
        execute("CREATE FUNCTION is_encrypted() RETURNS boolean LANGUAGE sql"
                + " AS 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void execute(String sql) throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Cli load(String sink, String parameters) throws Exception {
        Path file = Files.writeString(folder.resolve("in.csv"), "id\n1\n2\n3\n");
        execute("DROP TABLE IF EXISTS secret");
        execute("CREATE TABLE secret (id int, encrypted boolean DEFAULT is_encrypted())");
        return Cli.run(
                "run",
                "--sink.kind",
                sink,
                "--sink.url",
                server.jdbcUrl() + "?" + parameters,
                "--sink.user",
                server.user(),
                "--sink.table",
                "secret",
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--run.dir",
                folder.resolve("run").toString());
    }

    private static String content() throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT string_agg(id || ' ' || encrypted, ', ' ORDER BY id) FROM secret")) {
            row.next();
            return row.getString(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy", "jdbc"})
    void theServersCertificateIsVerified(String sink) throws Exception {
        Cli run = load(sink, "sslmode=verify-full&sslrootcert=" + certificates.ofAuthority());

        assertThat(run.exit()).as(run.all()).isZero();
        assertThat(content()).isEqualTo("1 true, 2 true, 3 true");
    }

    @Test
    void aServerOfAnotherAuthorityIsNotTrusted() throws Exception {
        Path other = Certificates.make(folder.resolve("other")).ofAuthority();

        Cli run = load("copy", "sslmode=verify-full&sslrootcert=" + other);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.all())
                .contains(
                        "The certificate of the server at jdbc:postgresql://127.0.0.1:" + server.port(),
                        "is not accepted",
                        "sslrootcert")
                .doesNotContain("\tat ", "No server answers");
        assertThat(content()).isNull();
    }

    @Test
    void withoutTlsNothingIsEncrypted() throws Exception {
        assertThat(load("copy", "sslmode=disable").exit()).isZero();
        assertThat(content()).isEqualTo("1 false, 2 false, 3 false");
    }
}
