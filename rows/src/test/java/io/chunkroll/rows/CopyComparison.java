package io.chunkroll.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * Loads the same texts into a column twice, by {@code psql \copy … csv} and by {@link RowEncoder} and binary COPY, and compares what
 * each takes and stores.
 */
final class CopyComparison {
    private static final byte[] HEADER = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };
    private static final byte[] TRAILER = {-1, -1};

    private final TestDatabase database;
    private final Path folder;
    private final ColumnType type;
    private final String sqlType;
    private final String zone;

    CopyComparison(TestDatabase database, Path folder, ColumnType type, String sqlType, String zone) {
        this.database = database;
        this.folder = folder;
        this.type = type;
        this.sqlType = sqlType;
        this.zone = zone;
    }

    /**
     * @param texts each for a row of its own
     * @param refusedHere those which PostgreSQL takes and we do not
     */
    void run(List<byte[]> texts, Set<String> refusedHere) throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit TO off");
            statement.execute("SET TimeZone TO '" + zone + "'");
            for (String table : List.of("ours", "probe", "theirs")) {
                statement.execute("CREATE TABLE " + table + " (n int, v " + sqlType + ")");
            }
            Set<String> takenHere = new TreeSet<>();
            Set<String> takenThere = new TreeSet<>();
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            for (int n = 0; n < texts.size(); n++) {
                byte[] text = texts.get(n);
                byte[] line = csv(n, text);
                if (copy(connection, "COPY probe FROM STDIN (FORMAT csv)", line)) {
                    takenThere.add(shown(text));
                    file.write(line);
                }
                if (store(connection, n, text)) {
                    takenHere.add(shown(text));
                }
            }
            Set<String> takenThereAlone = new TreeSet<>(takenThere);
            takenThereAlone.removeAll(takenHere);
            takenHere.removeAll(takenThere);
            psqlCopy(file.toByteArray());
            List<String> differences = differences(statement, texts);
            SoftAssertions.assertSoftly(all -> {
                all.assertThat(takenHere)
                        .as("taken here, refused by PostgreSQL")
                        .isEmpty();
                all.assertThat(takenThereAlone)
                        .as("taken by PostgreSQL, refused here")
                        .isEqualTo(new TreeSet<>(refusedHere));
                all.assertThat(differences).as("stored differently").isEmpty();
            });
        }
    }

    private boolean store(Connection connection, int n, byte[] text) throws SQLException, IOException {
        TableDescription table = new TableDescription(
                List.of(new Column("n", ColumnType.INT4, "integer", true), new Column("v", type, sqlType, false)),
                TableDescription.NONE,
                TableDescription.NONE);
        RowEncoder encoder = new RowEncoder(table, new ParseOptions(ZoneId.of(zone), "auto"));
        encoder.begin();
        byte[] number = String.valueOf(n).getBytes(UTF_8);
        Tuple row;
        try {
            encoder.field(number, 0, number.length);
            // Between other bytes, as in a file's block, so that a parser that looks beyond its field is found out.
            byte[] block = ("9,1" + " ".repeat(2) + "\"1").getBytes(UTF_8);
            byte[] around = new byte[2 * block.length + text.length];
            System.arraycopy(block, 0, around, 0, block.length);
            System.arraycopy(text, 0, around, block.length, text.length);
            System.arraycopy(block, 0, around, block.length + text.length, block.length);
            encoder.field(around, block.length, block.length + text.length);
            row = encoder.end();
        } catch (BadValueException e) {
            return false;
        }
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        copy.write(HEADER);
        copy.write(row.bytes(), 0, row.length());
        copy.write(TRAILER);
        return copy(connection, "COPY ours FROM STDIN (FORMAT binary)", copy.toByteArray());
    }

    /** Whether the server took it. */
    private static boolean copy(Connection connection, String sql, byte[] bytes) throws SQLException, IOException {
        try {
            new CopyManager(connection.unwrap(BaseConnection.class))
                    .copyIn(sql, new java.io.ByteArrayInputStream(bytes));
            return true;
        } catch (SQLException e) {
            // The class of data exceptions; anything else is no verdict on the text.
            if (e.getSQLState() != null && e.getSQLState().startsWith("22")) {
                return false;
            }
            throw e;
        }
    }

    private static byte[] csv(int n, byte[] text) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.writeBytes((n + ",\"").getBytes(UTF_8));
        for (byte b : text) {
            if (b == '"') {
                line.write('"');
            }
            line.write(b);
        }
        line.writeBytes("\"\n".getBytes(UTF_8));
        return line.toByteArray();
    }

    private void psqlCopy(byte[] lines) throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("values.csv"), lines);
        Path output = folder.resolve("psql.out");
        ProcessBuilder psql = database.server()
                .psql(List.of(
                        "-X",
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-c",
                        "\\copy " + database.schema() + ".theirs from '" + file + "' csv"));
        psql.environment().put("PGTZ", zone);
        psql.environment().put("PGCLIENTENCODING", "UTF8");
        int status = psql.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(status).as(Files.readString(output)).isZero();
    }

    private List<String> differences(Statement statement, List<byte[]> texts) throws SQLException {
        List<String> differences = new ArrayList<>();
        try (ResultSet row = statement.executeQuery("SELECT n, left(o.v::text, 200), left(t.v::text, 200)"
                + " FROM ours o JOIN theirs t USING (n) WHERE o.v::text IS DISTINCT FROM t.v::text")) {
            while (row.next()) {
                differences.add(shown(texts.get(row.getInt(1))) + ": here " + row.getString(2) + ", by psql "
                        + row.getString(3));
            }
        }
        return differences;
    }

    private static String shown(byte[] text) {
        String shown = new String(text, UTF_8);
        return shown.length() <= 120 ? shown : shown.substring(0, 100) + "… " + shown.length() + " characters";
    }
}
