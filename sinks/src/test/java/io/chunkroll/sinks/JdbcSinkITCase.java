package io.chunkroll.sinks;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.jdbc.JdbcOptions;
import io.chunkroll.sinks.jdbc.JdbcTupleSink;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.TargetTable;
import org.apache.flink.api.connector.sink2.Sink;

class JdbcSinkITCase extends SinkContract {

    @Override
    Sink<Tuple> sink(TargetTable table, TableDescription columns, Batching batching) {
        JdbcOptions jdbc = new JdbcOptions(options, batching.rows(), batching.age(), Fleet.CHUNK);
        return new JdbcTupleSink(jdbc, table, columns, Conflicts.ERROR);
    }
}
