package io.chunkroll.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.jdbc.JdbcOptions;
import io.chunkroll.sinks.jdbc.JdbcTupleSink;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;

class JdbcSinkITCase extends SinkContract {

    /** The driver's message of a batch holds the whole INSERT, and the connector tries everything again, three times in three seconds. */
    @Test
    void aRefusedBatchIsToldInTheServersWordsAndNotTriedAgain() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("ALTER TABLE fleet ADD CONSTRAINT not_150 CHECK (n <> 150)");
        database.execute("CREATE SEQUENCE tries");
        database.execute("CREATE FUNCTION tried() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM nextval('tries'); RETURN new; END $$");
        database.execute("CREATE TRIGGER watch BEFORE INSERT ON fleet FOR EACH ROW WHEN (new.n = 100)"
                + " EXECUTE FUNCTION tried()");
        JobClient job = start(table, 1_000, 1, Batching.ofRows(100), false);

        assertThatThrownBy(() -> job.getJobExecutionResult().get(100, TimeUnit.SECONDS))
                .hasStackTraceContaining("INSERT of batch 2 of subtask 0 into table " + table.name() + " (100 rows, ")
                .hasStackTraceContaining("bytes) failed: ERROR: new row for relation");
        awaitNoConnections();
        // One more than the first try: the connector's close() tries as well.
        assertThat(database.count("SELECT last_value FROM tries")).isLessThanOrEqualTo(2);
    }

    @Override
    Sink<Tuple> sink(TargetTable table, TableDescription columns, Batching batching) {
        JdbcOptions jdbc = new JdbcOptions(options, batching.rows(), batching.age(), Fleet.CHUNK);
        return new JdbcTupleSink(jdbc, table, columns, Conflicts.ERROR);
    }
}
