package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Keeps all rows in its checkpoints and hands them to the test at the end of input, so that what the test sees is what took effect
 * exactly once. On request it fails once, at a row that comes after a checkpoint was completed.
 */
final class CollectingOperator extends AbstractStreamOperator<Tuple>
        implements OneInputStreamOperator<Tuple, Tuple>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    private static final Queue<Tuple> COLLECTED = new ConcurrentLinkedQueue<>();
    private static final AtomicBoolean MAY_FAIL = new AtomicBoolean();
    private static final AtomicBoolean CHECKPOINTED = new AtomicBoolean();
    private static final AtomicBoolean FAILED = new AtomicBoolean();

    private transient List<Tuple> rows;
    private transient ListState<Tuple> state;

    static void reset(boolean failOnce) {
        COLLECTED.clear();
        MAY_FAIL.set(failOnce);
        CHECKPOINTED.set(false);
        FAILED.set(false);
    }

    static Collection<Tuple> collected() {
        return COLLECTED;
    }

    static boolean hasFailed() {
        return FAILED.get();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("rows", TupleTypeInfo.INSTANCE));
        rows = new ArrayList<>();
        state.get().forEach(rows::add);
    }

    @Override
    public void processElement(StreamRecord<Tuple> record) {
        if (!rows.isEmpty() && CHECKPOINTED.get() && MAY_FAIL.compareAndSet(true, false)) {
            FAILED.set(true);
            throw new IllegalStateException("fails on purpose");
        }
        rows.add(record.getValue().copy());
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        state.update(rows);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        super.notifyCheckpointComplete(checkpointId);
        CHECKPOINTED.compareAndSet(false, !rows.isEmpty());
    }

    @Override
    public void endInput() {
        COLLECTED.addAll(rows);
    }
}
