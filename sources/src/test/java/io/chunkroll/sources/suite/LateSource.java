package io.chunkroll.sources.suite;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Stands for a source until the job is sent off: the suite asks for its sources before it writes their data, which ours look at when they
 * are made.
 */
public final class LateSource<S extends SourceSplit, E> implements Source<Tuple, S, E>, ResultTypeQueryable<Tuple> {
    private static final long serialVersionUID = 1L;

    private final Boundedness boundedness;
    private final transient Supplier<Source<Tuple, S, E>> maker;

    public LateSource(Boundedness boundedness, Supplier<Source<Tuple, S, E>> maker) {
        this.boundedness = boundedness;
        this.maker = maker;
    }

    /** What is sent off in this one's place. */
    private Object writeReplace() {
        return maker.get();
    }

    @Override
    public Boundedness getBoundedness() {
        return boundedness;
    }

    @Override
    public TypeInformation<Tuple> getProducedType() {
        return TupleTypeInfo.INSTANCE;
    }

    @Override
    public SourceReader<Tuple, S> createReader(SourceReaderContext context) {
        throw new IllegalStateException();
    }

    @Override
    public SplitEnumerator<S, E> createEnumerator(SplitEnumeratorContext<S> context) {
        throw new IllegalStateException();
    }

    @Override
    public SplitEnumerator<S, E> restoreEnumerator(SplitEnumeratorContext<S> context, E checkpoint) {
        throw new IllegalStateException();
    }

    @Override
    public SimpleVersionedSerializer<S> getSplitSerializer() {
        throw new IllegalStateException();
    }

    @Override
    public SimpleVersionedSerializer<E> getEnumeratorCheckpointSerializer() {
        throw new IllegalStateException();
    }
}
