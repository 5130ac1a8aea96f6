package io.chunkroll.job.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.rows.Reject;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.filesystem.OutputFileConfig;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Takes refused rows out of the stream and writes each as a line of JSON: file, offset, line, column, reason and the row as it came, in
 * Base64 where it is no valid UTF-8. Files become visible with the checkpoint that holds them, so that each reject is there once.
 */
final class Rejects {
    /** Rows set aside, counted where they leave the stream. */
    static final String COUNTER = "rejects";

    private static final String UID = "rejects";
    private static final OutputTag<Tuple> TAG = new OutputTag<>("rejects", TupleTypeInfo.INSTANCE);

    private Rejects() {}

    static DataStream<Tuple> setAside(DataStream<Tuple> rows, Path folder, OptionalLong most) {
        SingleOutputStreamOperator<Tuple> good = rows.process(new Split())
                .returns(TupleTypeInfo.INSTANCE)
                .name("set aside")
                .uid("set-aside");
        FileSink<Tuple> files = FileSink.forRowFormat(folder, new Json())
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .withOutputFileConfig(OutputFileConfig.builder()
                        .withPartPrefix("rejects")
                        .withPartSuffix(".jsonl")
                        .build())
                .build();
        good.getSideOutput(TAG)
                .process(new Count(most))
                .returns(TupleTypeInfo.INSTANCE)
                .name("count rejects")
                .uid("count-rejects")
                .setParallelism(1)
                .sinkTo(files)
                .name("rejects")
                .uid(UID)
                .setParallelism(1);
        return good;
    }

    /**
     * Makes those visible that no checkpoint has committed, after the job is over for good: the files that were being written begin
     * with a dot.
     */
    static void reveal(java.nio.file.Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<java.nio.file.Path> files = Files.list(folder)) {
            for (java.nio.file.Path hidden :
                    files.filter(file -> name(file).startsWith(".rejects")).toList()) {
                String visible = name(hidden).substring(1).replaceAll("\\.inprogress.*$", "");
                Files.move(hidden, folder.resolve(visible));
            }
        }
    }

    private static String name(java.nio.file.Path file) {
        return file.getFileName().toString();
    }

    private static final class Split extends ProcessFunction<Tuple, Tuple> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(Tuple row, Context context, Collector<Tuple> out) {
            if (row.isRejected()) {
                context.output(TAG, row);
            } else {
                out.collect(row);
            }
        }
    }

    /** Counts rejects over the whole job, restarts included, and fails it when there are too many. */
    private static final class Count extends ProcessFunction<Tuple, Tuple> implements CheckpointedFunction {
        private static final long serialVersionUID = 1L;

        private final long most;
        private transient ListState<Long> state;
        private transient Counter counter;
        private long count;

        private Count(OptionalLong most) {
            this.most = most.orElse(Long.MAX_VALUE);
        }

        @Override
        public void open(OpenContext context) {
            counter = getRuntimeContext().getMetricGroup().counter(COUNTER);
            counter.inc(count);
        }

        @Override
        public void processElement(Tuple row, Context context, Collector<Tuple> out) {
            count++;
            counter.inc();
            if (count > most) {
                Reject last = Reject.decode(row);
                throw new TooManyRejectsException(
                        "More than " + most + " rows were rejected (source.max-bad-rows); the last one stands in "
                                + last.file() + " at byte " + last.offset() + ": " + last.reason());
            }
            out.collect(row);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("count", Types.LONG));
            for (Long restored : state.get()) {
                count += restored;
            }
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            state.update(java.util.List.of(count));
        }
    }

    private static final class Json implements Encoder<Tuple> {
        private static final long serialVersionUID = 1L;
        private static final ObjectMapper MAPPER = new ObjectMapper();

        @Override
        public void encode(Tuple row, OutputStream out) throws IOException {
            out.write(line(Reject.decode(row)));
            out.write('\n');
        }

        private static byte[] line(Reject reject) throws JsonProcessingException {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("file", reject.file());
            fields.put("offset", reject.offset());
            fields.put("line", reject.line() == 0 ? null : reject.line());
            fields.put("column", reject.column().isEmpty() ? null : reject.column());
            fields.put("reason", reject.reason());
            try {
                fields.put(
                        "row",
                        StandardCharsets.UTF_8
                                .newDecoder()
                                .decode(ByteBuffer.wrap(reject.row()))
                                .toString());
            } catch (CharacterCodingException e) {
                fields.put("row_base64", Base64.getEncoder().encodeToString(reject.row()));
            }
            return MAPPER.writeValueAsBytes(fields);
        }
    }
}
