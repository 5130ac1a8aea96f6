package io.chunkroll.sinks;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.jdbc.JdbcTupleSink;
import io.chunkroll.sinks.table.TargetTable;
import org.apache.flink.api.connector.sink2.Sink;

class JdbcSinkITCase extends SinkContract {

    @Override
    Sink<Tuple> sink(TargetTable table, TableDescription columns, Batching batching) {
        return new JdbcTupleSink(options, table, columns, batching.rows(), batching.age(), Fleet.CHUNK);
    }
}
