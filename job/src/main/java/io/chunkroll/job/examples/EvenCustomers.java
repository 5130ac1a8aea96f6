package io.chunkroll.job.examples;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.types.Row;

/**
 * Leaves out the rows whose {@code c_id} is odd, and passes the others on as they are. A template: a function may also change fields by
 * {@code row.setField("c_balance", …)} and return the row, or return another one that has a field for each column.
 */
public final class EvenCustomers implements MapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;

    @Override
    public Row map(Row row) {
        Number id = row.getFieldAs("c_id");
        return id.longValue() % 2 == 0 ? row : null;
    }
}
