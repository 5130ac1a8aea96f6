package io.chunkroll.job.examples;

import java.util.Set;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.types.Row;

/** Leaves out customers whose {@code c_credit} is neither good nor bad, as a check of what comes in would; TPC-C knows no others. */
public final class KnownCredit implements MapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final Set<String> KNOWN = Set.of("GC", "BC");

    @Override
    public Row map(Row row) {
        return KNOWN.contains(row.getFieldAs("c_credit")) ? row : null;
    }
}
