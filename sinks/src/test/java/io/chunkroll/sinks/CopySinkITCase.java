package io.chunkroll.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.copy.BatchLimits;
import io.chunkroll.sinks.copy.CopyOptions;
import io.chunkroll.sinks.copy.CopySink;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import java.time.Duration;
import org.apache.flink.api.connector.sink2.Sink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopySinkITCase extends SinkContract {

    @Override
    Sink<Tuple> sink(TargetTable table, TableDescription columns, Batching batching) {
        BatchLimits limits = new BatchLimits(batching.rows(), batching.bytes(), batching.age());
        return CopySink.ofTuples(
                new CopyOptions(options, limits, batching.sorted(), Duration.ofSeconds(30), Fleet.CHUNK),
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
}
