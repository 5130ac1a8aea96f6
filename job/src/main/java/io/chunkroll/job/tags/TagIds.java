package io.chunkroll.job.tags;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.FieldValues;
import io.chunkroll.rows.Origin;
import io.chunkroll.rows.RowCodec;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.tags.HostIds;
import io.chunkroll.sinks.tags.TagsTable;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.types.Row;

/**
 * Puts a host's id in place of its tags. Rows of hosts that are not known yet wait until there are many, or have waited for a moment, or a
 * checkpoint or the end comes; then all their hosts are looked up and added in one transaction. A host's rows keep their order: those of a
 * host that is waited for wait too.
 *
 * <p>Its state is the table: after a failure the map begins empty and fills again. A row without a host has no id.
 */
public final class TagIds extends AbstractStreamOperator<Tuple> implements OneInputStreamOperator<Tuple, Tuple> {
    private static final long serialVersionUID = 1L;
    /** The metric of hosts whose id was asked for. */
    private static final String HOSTS = "hosts";

    private static final int MOST_ROWS = 20_000;
    private static final int MOST_BYTES = 8 << 20;
    private static final long WAIT_MILLIS = 200;
    private static final int TIME = 1;

    private final ConnectionOptions server;
    private final TagsTable table;
    private final TableDescription in;
    private final TableDescription out;
    private final Duration retryFor;

    private transient IdMap known;
    private transient Counter hosts;
    private transient HostIds ids;
    private transient RowCodec codec;
    private transient TupleWriter writer;
    private transient StreamRecord<Tuple> record;
    private transient List<Tuple> waiting;
    private transient int waitingBytes;
    private transient boolean timed;

    /**
     * @param in what rows hold: the time, the tags of the table, the rest
     * @param out what they shall hold: the time, the id, the rest
     */
    public TagIds(
            ConnectionOptions server, TagsTable table, TableDescription in, TableDescription out, Duration retryFor) {
        this.server = server;
        this.table = table;
        this.in = in;
        this.out = out;
        this.retryFor = retryFor;
    }

    @Override
    public void open() throws Exception {
        super.open();
        known = new IdMap();
        hosts = getMetricGroup().counter(HOSTS);
        ids = new HostIds(server, table, retryFor);
        codec = new RowCodec(in);
        writer = new TupleWriter(out);
        record = new StreamRecord<>(null);
        waiting = new ArrayList<>();
    }

    @Override
    public void processElement(StreamRecord<Tuple> element) throws Exception {
        Tuple row = element.getValue();
        if (row.isRejected()) {
            emit(row);
            return;
        }
        int at = host(row);
        int length = BigEndian.getInt(row.bytes(), at);
        int id = length < 0 ? IdMap.NONE : known.get(row.bytes(), at + Integer.BYTES, at + Integer.BYTES + length);
        if (id != IdMap.NONE || length < 0) {
            emit(encode(row, id));
            return;
        }
        waiting.add(row.copy());
        waitingBytes += row.length();
        if (waiting.size() >= MOST_ROWS || waitingBytes >= MOST_BYTES) {
            settle();
        } else if (!timed) {
            timed = true;
            ScheduledFuture<?> unused = getProcessingTimeService()
                    .registerTimer(getProcessingTimeService().getCurrentProcessingTime() + WAIT_MILLIS, time -> {
                        timed = false;
                        settle();
                    });
        }
    }

    /** Where the length of the host's name stands: behind the time. */
    private static int host(Tuple row) {
        int timeLength = BigEndian.getInt(row.bytes(), Short.BYTES);
        return Short.BYTES + Integer.BYTES + Math.max(0, timeLength);
    }

    private void settle() throws SQLException, InterruptedException {
        if (waiting.isEmpty()) {
            return;
        }
        TreeMap<String, Object[]> asked = new TreeMap<>();
        for (Tuple row : waiting) {
            asked.computeIfAbsent(name(row), name -> tags(row));
        }
        for (Map.Entry<String, Integer> found : ids.of(asked).entrySet()) {
            known.put(found.getKey().getBytes(StandardCharsets.UTF_8), found.getValue());
            hosts.inc();
        }
        for (Tuple row : waiting) {
            int at = host(row);
            int from = at + Integer.BYTES;
            emit(encode(row, known.get(row.bytes(), from, from + BigEndian.getInt(row.bytes(), at))));
        }
        waiting.clear();
        waitingBytes = 0;
    }

    private static String name(Tuple row) {
        int at = host(row);
        return FieldValues.text(row.bytes(), at + Integer.BYTES, BigEndian.getInt(row.bytes(), at));
    }

    private Object[] tags(Tuple row) {
        Row decoded = codec.decode(row);
        Object[] tags = new Object[table.tags().size()];
        for (int i = 0; i < tags.length; i++) {
            tags[i] = decoded.getField(TIME + i);
        }
        return tags;
    }

    private Tuple encode(Tuple row, int id) {
        byte[] bytes = row.bytes();
        writer.begin();
        int at = copy(bytes, Short.BYTES);
        if (id == IdMap.NONE) {
            writer.putNull();
        } else {
            writer.putInt4(id);
        }
        for (int tag = 0; tag < table.tags().size(); tag++) {
            at += Integer.BYTES + Math.max(0, BigEndian.getInt(bytes, at));
        }
        while (at < row.length()) {
            at = copy(bytes, at);
        }
        return row.originLength() == 0
                ? writer.end()
                : writer.end(Origin.decode(bytes, row.length(), row.length() + row.originLength()));
    }

    /** Puts the field whose length stands here; returns where the next one's does. */
    private int copy(byte[] bytes, int at) {
        int length = BigEndian.getInt(bytes, at);
        int from = at + Integer.BYTES;
        if (length < 0) {
            writer.putNull();
            return from;
        }
        writer.putBytes(bytes, from, from + length);
        return from + length;
    }

    private void emit(Tuple row) {
        output.collect(record.replace(row));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
        settle();
    }

    @Override
    public void finish() throws Exception {
        settle();
        super.finish();
    }

    @Override
    public void close() throws Exception {
        if (ids != null) {
            ids.close();
        }
        super.close();
    }
}
