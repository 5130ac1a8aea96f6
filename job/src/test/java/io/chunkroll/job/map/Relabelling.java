package io.chunkroll.job.map;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.types.Row;

/** A rich function: gives every host another name, doubles a value, leaves out each tenth host, and refuses one. */
public final class Relabelling extends RichMapFunction<Row, Row> {
    private static final long serialVersionUID = 1L;

    private transient String prefix;

    @Override
    public void open(OpenContext context) {
        prefix = getRuntimeContext().getTaskInfo().getTaskName().isEmpty() ? "" : "renamed_";
    }

    @Override
    public Row map(Row row) {
        String host = row.getFieldAs("hostname");
        if (host.endsWith("0")) {
            return null;
        }
        if (host.equals("host_bad")) {
            throw new IllegalStateException("no such host");
        }
        row.setField("hostname", prefix + host);
        row.setField("usage_user", 2 * row.<Double>getFieldAs("usage_user"));
        return row;
    }

    @Override
    public void close() {
        prefix = null;
    }
}
