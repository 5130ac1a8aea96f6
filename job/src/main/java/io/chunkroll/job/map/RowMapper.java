package io.chunkroll.job.map;

import io.chunkroll.rows.BadValueException;
import io.chunkroll.rows.Origin;
import io.chunkroll.rows.RowCodec;
import io.chunkroll.rows.RowText;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.metrics.SinkMetrics;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.functions.RichFunction;
import org.apache.flink.metrics.Counter;
import org.apache.flink.types.Row;
import org.apache.flink.util.Collector;

/** Gives each row to the user's function, and passes on what that returns; null leaves the row out, which is counted. */
public final class RowMapper extends RichFlatMapFunction<Tuple, Tuple> {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_ROW_SHOWN = 300;

    private final String name;
    private final TableDescription columns;

    private transient MapFunction<Row, Row> function;
    private transient RowCodec codec;
    private transient Counter filtered;

    /** @param columns what tuples hold, before and after */
    public RowMapper(MapClass map, TableDescription columns) {
        name = map.name();
        this.columns = columns;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        codec = new RowCodec(columns);
        filtered = getRuntimeContext().getMetricGroup().counter(SinkMetrics.FILTERED);
        function = MapClass.create(name, getRuntimeContext().getUserCodeClassLoader());
        if (function instanceof RichFunction rich) {
            rich.setRuntimeContext(getRuntimeContext());
            rich.open(context);
        }
    }

    @Override
    public void flatMap(Tuple tuple, Collector<Tuple> out) {
        if (tuple.isRejected()) {
            out.collect(tuple);
            return;
        }
        Row mapped = map(tuple);
        if (mapped == null) {
            filtered.inc();
        } else {
            out.collect(encode(mapped, tuple));
        }
    }

    private Row map(Tuple tuple) {
        Row row = codec.decode(tuple);
        try {
            return function.map(row);
        } catch (Exception e) {
            throw new MapException(name + " (job.map) failed at " + place(tuple) + ": " + e, e);
        }
    }

    private Tuple encode(Row row, Tuple from) {
        try {
            return codec.encode(row, from);
        } catch (BadValueException e) {
            throw new MapException(
                    name + " (job.map) made a row that does not fit the table of " + place(from) + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private String place(Tuple tuple) {
        String row = new RowText(columns).of(tuple.bytes(), 0);
        String shown = row.length() > LONGEST_ROW_SHOWN ? row.substring(0, LONGEST_ROW_SHOWN) + "…" : row;
        if (tuple.originLength() == 0) {
            return "the row '" + shown + "'";
        }
        Origin origin = Origin.decode(tuple.bytes(), tuple.length(), tuple.length() + tuple.originLength());
        return "the row '" + shown + "' at byte " + origin.offset() + " of " + origin.file()
                + (origin.line() > 0 ? ", line " + origin.line() : "");
    }

    @Override
    public void close() throws Exception {
        if (function instanceof RichFunction rich) {
            rich.close();
        }
    }
}
