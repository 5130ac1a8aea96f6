package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** The figures the page's script draws, in the format that docs/report-data.md describes. */
final class PageData {
    /** To be raised when a field changes its meaning or goes; the script refuses versions it does not know. */
    static final int FORMAT_VERSION = 1;

    private static final JsonNodeFactory NODES = new ObjectMapper().getNodeFactory();
    private static final double THOUSANDTHS = 1000;

    private PageData() {}

    static ObjectNode of(List<MeasuredRun> runs, Comparison comparison, Published published) {
        ObjectNode data = NODES.objectNode();
        data.put("format_version", FORMAT_VERSION);
        data.set("comparison", comparison.json());
        ArrayNode theirs = data.putArray("published");
        published
                .figures()
                .forEach(figure -> theirs.addObject()
                        .put("of", figure.of())
                        .put("ours", figure.ours())
                        .put("theirs", figure.theirs()));
        ArrayNode array = data.putArray("runs");
        List<String> groups = new ArrayList<>();
        for (MeasuredRun run : runs) {
            String group = run.summary().name();
            if (!groups.contains(group)) {
                groups.add(group);
            }
            array.add(run(run, groups.indexOf(group)));
        }
        ArrayNode repeats = array;
        int[] seen = new int[groups.size()];
        repeats.forEach(node ->
                ((ObjectNode) node).put("repeat", ++seen[node.path("group").asInt()]));
        return data;
    }

    private static ObjectNode run(MeasuredRun run, int group) {
        ObjectNode node = NODES.objectNode();
        node.put("name", run.label());
        node.put("group", group);
        node.put("group_name", run.summary().name());
        node.put("layout", run.layout());
        node.set("rows_per_second", number(run.meanRate()));
        node.put("rows", run.rows());
        for (String field : List.of("seconds", "table_bytes", "index_bytes", "wal_bytes")) {
            node.set(field, number(run.summary().decimal(field)));
        }
        ArrayNode subtasks = node.putArray("subtasks");
        run.summary().wholes("rows_per_subtask.all").forEach(subtasks::add);
        List<TimelinePoint> load = run.folder().timeline().load();
        node.set(
                "load_end_s",
                number(load.isEmpty() ? 0 : load.get(load.size() - 1).elapsedSeconds()));
        node.set("rolls", rolls(run, load));
        node.set("points", points(run, load));
        return node;
    }

    /** What the run was filling from when on; the first chunk is one of them. */
    private static ArrayNode rolls(MeasuredRun run, List<TimelinePoint> load) {
        ArrayNode rolls = NODES.arrayNode();
        RowCurve curve = RowCurve.of(load);
        List<ChunkRates> chunks = run.sawtooth().chunks();
        for (int i = 0; i < chunks.size(); i++) {
            ChunkRates chunk = chunks.get(i);
            ObjectNode roll = rolls.addObject();
            roll.set("at_s", number(i == 0 ? 0 : chunk.fromSeconds()));
            roll.put("at_rows", i == 0 ? 0 : Math.round(curve.rowsAt(chunk.fromSeconds())));
            roll.put("label", run.chunkWord() + " " + (i + 1));
            roll.put("name", chunk.chunk());
            roll.put("from", chunk.rangeStart());
            roll.put("to", chunk.rangeEnd());
        }
        return rolls;
    }

    /** Column by column, as that is shorter than row by row; the columns are those of timeline.csv, and the average. */
    private static ObjectNode points(MeasuredRun run, List<TimelinePoint> load) {
        Map<Double, Double> average = RateAverage.of(load, run.sawtooth().chunks());
        List<TimelinePoint> points = run.folder().timeline().points();
        ObjectNode columns = NODES.objectNode();
        columns.set("elapsed_s", column(points, point -> number(point.elapsedSeconds())));
        columns.set("rows", column(points, point -> NODES.numberNode(point.rows())));
        columns.set("rows_per_s", column(points, point -> number(Math.rint(point.rowsPerSecond()))));
        columns.set("average", column(points, point -> {
            Double rate = point.isLoad() ? average.get(point.elapsedSeconds()) : null;
            return rate == null ? NODES.nullNode() : number(Math.rint(rate));
        }));
        columns.set("flush_p50_ms", column(points, point -> number(point.flushP50Millis())));
        columns.set("flush_p99_ms", column(points, point -> number(point.flushP99Millis())));
        columns.set("chunks", column(points, point -> number(point.chunks())));
        columns.set("wal_bytes", column(points, point -> number(point.walBytes())));
        columns.set("server_cpu", column(points, point -> number(point.serverCpuSeconds())));
        columns.set("client_cpu", column(points, point -> number(point.clientCpuSeconds())));
        columns.set("disk_write_bytes", column(points, point -> number(point.diskWriteBytes())));
        columns.set("table_bytes", column(points, point -> number(point.tableBytes())));
        columns.set("index_bytes", column(points, point -> number(point.indexBytes())));
        return columns;
    }

    private static ArrayNode column(List<TimelinePoint> points, Function<TimelinePoint, JsonNode> cell) {
        ArrayNode column = NODES.arrayNode(points.size());
        points.forEach(point -> column.add(cell.apply(point)));
        return column;
    }

    private static JsonNode number(OptionalLong value) {
        return value.isPresent() ? NODES.numberNode(value.getAsLong()) : NODES.nullNode();
    }

    static JsonNode number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : NODES.nullNode();
    }

    /** To a thousandth, and without the point where it is whole: most figures are, and the page shall be small. */
    private static JsonNode number(double value) {
        double rounded = Math.rint(value * THOUSANDTHS) / THOUSANDTHS;
        return rounded == Math.rint(rounded) ? NODES.numberNode((long) rounded) : NODES.numberNode(rounded);
    }
}
