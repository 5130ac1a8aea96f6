package io.chunkroll.sinks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TargetTable;
import java.net.URL;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.testframe.external.ExternalSystemDataReader;
import org.apache.flink.connector.testframe.external.sink.DataStreamSinkV2ExternalContext;
import org.apache.flink.connector.testframe.external.sink.TestingSinkSettings;

/** What one test of the suite writes to: a table of texts in a schema of its own. */
final class SuiteTable implements DataStreamSinkV2ExternalContext<String> {
    private static final int ELEMENTS = 500;
    private static final long PAUSE_MILLIS = 20;

    /** Makes a sink of texts for the table. */
    interface Maker {
        Sink<String> make(ConnectionOptions server, TargetTable table, TableDescription columns);
    }

    private final TestDatabase database = TestDatabase.create();
    private final Maker maker;

    SuiteTable(Maker maker) {
        this.maker = maker;
        database.execute("CREATE TABLE elements (element text NOT NULL)");
    }

    static Tuple encode(String element, TupleWriter writer) {
        writer.begin();
        writer.putText(element);
        return writer.end();
    }

    @Override
    public Sink<String> createSink(TestingSinkSettings settings) {
        ConnectionOptions server = Fleet.options(database);
        try {
            TargetTable table = Fleet.read(server, "elements");
            return maker.make(server, table, table.columns());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public List<String> generateTestData(TestingSinkSettings settings, long seed) {
        Random random = new Random(seed);
        return Stream.generate(random::nextLong)
                .limit(ELEMENTS)
                .map(number -> "element " + number)
                .toList();
    }

    @Override
    public ExternalSystemDataReader<String> createSinkDataReader(TestingSinkSettings settings) {
        return new Reader(database);
    }

    @Override
    public TypeInformation<String> getProducedType() {
        return Types.STRING;
    }

    @Override
    public List<URL> getConnectorJarPaths() {
        return List.of();
    }

    @Override
    public void close() {
        assertThat(database.count("SELECT count(*) FROM pg_prepared_xacts")).isZero();
        database.close();
    }

    /** Gives each row of the table once, as often as it is there. */
    private record Reader(TestDatabase database, List<String> given) implements ExternalSystemDataReader<String> {
        private Reader(TestDatabase database) {
            this(database, new ArrayList<>());
        }

        @Override
        public List<String> poll(Duration timeout) {
            long deadline = System.nanoTime() + timeout.toNanos();
            while (true) {
                List<String> fresh = all();
                given.forEach(fresh::remove);
                if (!fresh.isEmpty() || System.nanoTime() >= deadline) {
                    given.addAll(fresh);
                    return fresh;
                }
                pause();
            }
        }

        private static void pause() {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("The rows did not come in time", e);
            }
        }

        private List<String> all() {
            List<String> all = new ArrayList<>();
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT element FROM elements")) {
                while (row.next()) {
                    all.add(row.getString(1));
                }
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
            return all;
        }

        @Override
        public void close() {}
    }
}
