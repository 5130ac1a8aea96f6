package io.chunkroll.sources.fleet;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Generates the rows of a fleet of devices.
 *
 * <p><b>The same rows always.</b> Each row follows from the settings alone, whatever the parallelism and the number of restarts. The
 * rows of a device come in order; the devices' rows of one step come in any order, and the readers stay within about 50,000 rows (or one
 * step, where that is more) of each other.
 *
 * <p><b>Restarts.</b> A checkpoint holds the place of each split, some thirty bytes, and never the devices' values. These are
 * computed anew after a restart, from the first step on, before the first row goes out: about 10 million rows a second and core, and
 * the slowest reader's share counts. With a sink that keeps to checkpoints every row takes effect once. A restart with another
 * parallelism deals the same splits out anew; there are four for each reader of the first start, and no more than devices. A checkpoint
 * of a fleet with other settings is refused; only the rate may change.
 *
 * <p><b>Memory.</b> For each device the cpu data keep 80 bytes of heap and the tsbs-cpu data 20, so that these need 200 MB for 10 million;
 * the other data sets keep nothing, and need no values computed anew. A reader whose devices would take more than half of the heap says
 * so instead of beginning.
 *
 * <p>Meant for streaming execution, where all readers run at once. The emitted tuple is reused: enable object reuse, or let the next
 * operator copy it.
 */
public final class FleetSource implements Source<Tuple, FleetSplit, PendingSplits>, ResultTypeQueryable<Tuple> {
    private static final long serialVersionUID = 1L;

    private final FleetOptions fleet;
    private final int keyColumn;

    /** With the data set's own partition key. */
    public FleetSource(FleetOptions fleet) {
        this(fleet, fleet.dataset().table().keyColumn());
    }

    /** @param keyColumn the index of the column whose value is a row's partition key, or {@link TableDescription#NONE} */
    public FleetSource(FleetOptions fleet, int keyColumn) {
        this.fleet = Objects.requireNonNull(fleet, "fleet");
        this.keyColumn = keyColumn;
    }

    @Override
    public Boundedness getBoundedness() {
        return fleet.isBounded() ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Tuple, FleetSplit> createReader(SourceReaderContext context) {
        return new FleetReader(context, fleet, keyColumn, System::nanoTime, FleetSource::after);
    }

    /** The JDK's own timer thread completes it. */
    private static CompletableFuture<Void> after(long nanos) {
        return new CompletableFuture<Void>().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public SplitEnumerator<FleetSplit, PendingSplits> createEnumerator(SplitEnumeratorContext<FleetSplit> context) {
        return FleetEnumerator.start(context, fleet);
    }

    @Override
    public SplitEnumerator<FleetSplit, PendingSplits> restoreEnumerator(
            SplitEnumeratorContext<FleetSplit> context, PendingSplits checkpoint) {
        return FleetEnumerator.restore(context, checkpoint);
    }

    @Override
    public SimpleVersionedSerializer<FleetSplit> getSplitSerializer() {
        return new FleetSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<PendingSplits> getEnumeratorCheckpointSerializer() {
        return new PendingSplitsSerializer();
    }

    @Override
    public TypeInformation<Tuple> getProducedType() {
        return TupleTypeInfo.INSTANCE;
    }
}
