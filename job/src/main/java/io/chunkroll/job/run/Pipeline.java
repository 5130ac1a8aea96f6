package io.chunkroll.job.run;

import io.chunkroll.job.map.RowMapper;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.tags.TagIds;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.sinks.copy.BatchLimits;
import io.chunkroll.sinks.copy.CopyOptions;
import io.chunkroll.sinks.copy.CopySink;
import io.chunkroll.sinks.copy.ExactlyOnceCopySink;
import io.chunkroll.sinks.discard.DiscardSink;
import io.chunkroll.sinks.jdbc.JdbcOptions;
import io.chunkroll.sinks.jdbc.JdbcTupleSink;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.reject.RejectingSink;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The job's graph: source, the user's function if there is one, partition by tag where rows do not stay with their readers,
 * sink. Where bad rows are set aside, their
 * accounts take the same way, and the sink's writers put them down.
 *
 * <pre>
 *  source ──▶ (tags) ──▶ (map) ──▶ (keyBy(tag)) ──▶ sink
 *                                         └──▶ rejects
 * </pre>
 */
public final class Pipeline {
    /** The source operator's name and uid. */
    public static final String SOURCE = "source";
    /** The name and uid of the operator that calls the user's function. */
    public static final String MAP = "map";
    /** The sink operator's name and uid. */
    public static final String SINK = "sink";

    /** The name and uid of the operator that puts ids in place of tags. */
    public static final String TAGS = "tags";

    private static final int JDBC_ROWS = 20_000;

    private Pipeline() {}

    /**
     * Adds the load to the environment.
     *
     * @param server the target's server, or empty where rows are discarded
     * @param rejects where refused rows are told of; empty where each of them fails the job
     */
    public static void build(
            StreamExecutionEnvironment env,
            Load load,
            Optional<ConnectionOptions> server,
            Optional<RejectOptions> rejects) {
        Settings settings = load.settings();
        env.setParallelism(settings.job().parallelism());
        env.enableCheckpointing(settings.job().checkpointInterval().toMillis());
        // A checkpoint waits for the batch in flight and for the one behind it, both of which may be tried again for so
        // long.
        env.getCheckpointConfig()
                .setCheckpointTimeout(env.getCheckpointConfig().getCheckpointTimeout()
                        + 2 * settings.sink().batch().retryFor().toMillis());
        env.getConfig().enableObjectReuse();
        env.configure(new Configuration().set(PipelineOptions.GENERIC_TYPES, false));

        DataStream<Tuple> rows = env.fromSource(
                        load.source(), WatermarkStrategy.noWatermarks(), SOURCE, TupleTypeInfo.INSTANCE)
                .uid(SOURCE);
        if (load.tagged().isPresent()) {
            Load.Tagged tagged = load.tagged().get();
            rows = rows.transform(
                            TAGS,
                            TupleTypeInfo.INSTANCE,
                            new TagIds(
                                    server.orElseThrow(),
                                    tagged.table(),
                                    tagged.columns(),
                                    load.columns(),
                                    settings.sink().batch().retryFor()))
                    .uid(TAGS);
        }
        if (settings.job().map().isPresent()) {
            // First of all, so that a key that it changes decides where the row goes.
            rows = rows.flatMap(new RowMapper(settings.job().map().get(), load.columns()), TupleTypeInfo.INSTANCE)
                    .name(MAP)
                    .uid(MAP);
        }
        if (load.divided() && load.columns().keyColumn() != TableDescription.NONE && !isUndivided(env, settings)) {
            // Only the way is wanted: a sink that is keyed itself would set its state's key for each row.
            rows = new DataStream<>(env, rows.keyBy(Tuple::keyHash, Types.INT).getTransformation());
        }
        rows.sinkTo(sink(load, server, rejects)).name(SINK).uid(SINK);
    }

    /** One subtask gets all rows anyhow, and need not be handed them through buffers; but on a cluster it may be given others later. */
    private static boolean isUndivided(StreamExecutionEnvironment env, Settings settings) {
        return env instanceof LocalStreamEnvironment && settings.job().parallelism() == 1;
    }

    private static Sink<Tuple> sink(Load load, Optional<ConnectionOptions> server, Optional<RejectOptions> reject) {
        Settings.Sink sink = load.settings().sink();
        Settings.Batch batch = sink.batch();
        return switch (sink.kind()) {
            case DISCARD -> rejecting(new DiscardSink(), reject);
            case COPY -> {
                BatchLimits limits = batch.rows().isPresent()
                        ? new BatchLimits(batch.rows().getAsInt(), batch.bytes(), batch.age())
                        : BatchLimits.following(batch.bytes(), batch.age());
                TargetTable table = load.table().orElseThrow();
                CopyOptions options = new CopyOptions(
                        server.orElseThrow(),
                        limits,
                        batch.sorted(),
                        batch.retryFor(),
                        sink.chunksAhead(),
                        partitionInterval(table, sink),
                        sink.load() == Settings.Load.BULK && table.layout() == Layout.PARTITIONED);
                yield sink.transactionPrefix().isPresent()
                        ? ExactlyOnceCopySink.ofTuples(
                                        options,
                                        table,
                                        load.columns(),
                                        sink.transactionPrefix().get())
                                .where(load.filter())
                                .rejecting(reject.orElse(null))
                        : CopySink.ofTuples(options, table, load.columns())
                                .where(load.filter())
                                .onConflict(load.conflicts())
                                .rejecting(reject.orElse(null));
            }
            case JDBC -> {
                TargetTable table = load.table().orElseThrow();
                JdbcOptions options = new JdbcOptions(
                        server.orElseThrow(),
                        batch.rows().orElse(JDBC_ROWS),
                        batch.age(),
                        partitionInterval(table, sink));
                yield rejecting(new JdbcTupleSink(options, table, load.columns(), load.conflicts()), reject);
            }
        };
    }

    private static Sink<Tuple> rejecting(Sink<Tuple> sink, Optional<RejectOptions> reject) {
        return reject.isPresent() ? new RejectingSink(sink, reject.get()) : sink;
    }

    /** Null where the table has no native partitions. */
    private static Duration partitionInterval(TargetTable table, Settings.Sink sink) {
        return table.layout() == Layout.PARTITIONED ? sink.chunkInterval() : null;
    }
}
