package io.chunkroll.job.tags;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.RowCodec;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleSerializer;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.tags.TagsTable;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The operator alone, with its table on a real server. */
@Timeout(120)
final class TagIdsITCase {
    private static final Column TIME = new Column("time", ColumnType.TIMESTAMPTZ, "timestamp with time zone", true);
    private static final Column HOST = new Column("hostname", ColumnType.TEXT, "text", false);
    private static final Column REGION = new Column("region", ColumnType.TEXT, "text", false);
    private static final Column VALUE = new Column("value", ColumnType.INT4, "integer", false);
    private static final Column ID = new Column("tags_id", ColumnType.INT4, "integer", false);
    private static final TableDescription IN = new TableDescription(List.of(TIME, HOST, REGION, VALUE), 0, 1);
    private static final TableDescription OUT = new TableDescription(List.of(TIME, ID, VALUE), 0, 1);

    private final TupleWriter writer = new TupleWriter(IN);
    private TestDatabase database;
    private TagsTable table;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabase.create();
        table = new TagsTable(TableName.parse("tags"), List.of(HOST, REGION));
        try (Connection connection = database.connect()) {
            table.make(connection, false);
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private OneInputStreamOperatorTestHarness<Tuple, Tuple> started(OperatorSubtaskState state) throws Exception {
        ConnectionOptions server = new ConnectionOptions(database.url(), database.user(), database.password());
        OneInputStreamOperatorTestHarness<Tuple, Tuple> harness =
                new OneInputStreamOperatorTestHarness<>(new TagIds(server, table, IN, OUT, Duration.ofSeconds(30)));
        harness.setup(TupleSerializer.INSTANCE);
        harness.initializeState(state);
        harness.open();
        return harness;
    }

    private StreamRecord<Tuple> row(String host, int value) {
        writer.begin();
        writer.putTimestamp(1_000_000L * value);
        if (host == null) {
            writer.putNull();
        } else {
            writer.putText(host);
        }
        writer.putText("region-of-" + host);
        writer.putInt4(value);
        return new StreamRecord<>(writer.end());
    }

    /** What came out since the last call, each row as {@code host=value}; the host as the table of tags names it. */
    private List<String> taken(OneInputStreamOperatorTestHarness<Tuple, Tuple> harness) {
        RowCodec codec = new RowCodec(OUT);
        List<String> rows = harness.extractOutputValues().stream()
                .map(codec::decode)
                .map(this::named)
                .toList();
        harness.getOutput().clear();
        return rows;
    }

    private String named(Row row) {
        Object id = row.getField(1);
        String host =
                id == null ? null : Objects.requireNonNull(database.one("SELECT hostname FROM tags WHERE id = " + id));
        return host + "=" + row.getField(2);
    }

    @Test
    void aHostsRowsKeepTheirOrderThoughSomeWaited() throws Exception {
        try (var operator = started(null)) {
            operator.processElement(row("known", 1));
            operator.setProcessingTime(1_000);
            assertThat(taken(operator)).containsExactly("known=1");

            operator.processElement(row("new", 2));
            operator.processElement(row("known", 3));
            operator.processElement(row("new", 4));
            operator.processElement(row("newer", 5));
            operator.processElement(row(null, 6));
            assertThat(taken(operator))
                    .as("rows of hosts that are known, or of none, do not wait for others")
                    .containsExactly("known=3", "null=6");

            operator.setProcessingTime(2_000);
            operator.processElement(row("new", 7));
            assertThat(taken(operator)).containsExactly("new=2", "new=4", "newer=5", "new=7");
        }
    }

    @Test
    void nothingWaitsPastACheckpointAndARestartFindsTheSameHosts() throws Exception {
        OperatorSubtaskState state;
        try (var operator = started(null)) {
            operator.processElement(row("a", 1));
            operator.processElement(row("b", 2));
            assertThat(taken(operator)).isEmpty();
            operator.prepareSnapshotPreBarrier(1);
            state = operator.snapshot(1, 1);
            assertThat(taken(operator)).containsExactly("a=1", "b=2");
            // Added to the table, and not in the checkpoint: the restart finds it there.
            operator.processElement(row("c", 3));
            operator.setProcessingTime(1_000);
            assertThat(taken(operator)).containsExactly("c=3");
        }
        try (var operator = started(state)) {
            operator.processElement(row("c", 3));
            operator.processElement(row("d", 4));
            operator.processElement(row("a", 5));
            operator.getOperator().finish();
            assertThat(taken(operator)).containsExactly("c=3", "d=4", "a=5");
        }
        assertThat(database.one("SELECT string_agg(hostname || ' ' || region, ', ' ORDER BY hostname) FROM tags"))
                .isEqualTo("a region-of-a, b region-of-b, c region-of-c, d region-of-d");
    }
}
