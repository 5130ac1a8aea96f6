package io.chunkroll.sources.tsbs;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.sources.files.Compression;
import io.chunkroll.sources.files.FileNames;
import io.chunkroll.sources.files.SourceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.fs.Path;

/**
 * What a TSBS file for TimescaleDB begins with: a line {@code tags,hostname string,region string,…}, for each measurement a line {@code
 * cpu,usage_user,…}, and an empty line.
 *
 * @param tags the columns of the tags, in the order in which each row's line names them
 * @param measurements the names of the values of each measurement
 * @param length how many bytes it has, the empty line included
 * @param lines how many lines it has, the empty one included
 */
record TsbsHeader(List<Column> tags, Map<String, List<String>> measurements, long length, int lines)
        implements Serializable {
    private static final int MOST_BYTES = 1 << 20;
    private static final String TAGS = "tags";

    /**
     * Reads a file's header.
     *
     * @throws SourceException if it has none
     */
    static TsbsHeader read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Compression.open(file, 0)) {
            bytes = in.readNBytes(MOST_BYTES);
        }
        String name = FileNames.of(file);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<String> lines = new ArrayList<>();
        int at = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
            String line = new String(bytes, at, end - at, StandardCharsets.UTF_8).stripTrailing();
            at = end + 1;
            if (line.isEmpty()) {
                return of(name, lines, at);
            }
            lines.add(line);
            if (line.startsWith(TAGS + ',') && line.contains("=")) {
                break;
            }
        }
        throw noHeader(name, "no empty line ends the header");
    }

    private static TsbsHeader of(String file, List<String> lines, long length) {
        if (lines.isEmpty() || !lines.get(0).startsWith(TAGS + ',')) {
            throw noHeader(file, "its first line does not begin with 'tags,'");
        }
        List<Column> tags = new ArrayList<>();
        for (String tag : fields(lines.get(0))) {
            String[] words = tag.split(" ", 2);
            tags.add(column(file, words[0], words.length == 1 ? "string" : words[1].strip()));
        }
        Map<String, List<String>> measurements = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            measurements.put(line.split(",", 2)[0], fields(line));
        }
        if (measurements.isEmpty()) {
            throw noHeader(file, "no line names a measurement and its values");
        }
        return new TsbsHeader(List.copyOf(tags), measurements, length, lines.size() + 1);
    }

    private static List<String> fields(String line) {
        String[] parts = line.split(",");
        return List.copyOf(List.of(parts).subList(1, parts.length));
    }

    private static Column column(String file, String name, String type) {
        return switch (type) {
            case "string" -> new Column(name, ColumnType.TEXT, "text", false);
            // As TSBS has it, whose FLOAT is PostgreSQL's double precision.
            case "float32", "float64" -> new Column(name, ColumnType.FLOAT8, "double precision", false);
            case "int32" -> new Column(name, ColumnType.INT4, "integer", false);
            case "int64" -> new Column(name, ColumnType.INT8, "bigint", false);
            default ->
                throw noHeader(
                        file,
                        "tag " + name + " has the type '" + type
                                + "', which is none of string, float32, float64, int32, int64");
        };
    }

    private static SourceException noHeader(String file, String reason) {
        return new SourceException(file + " is no TSBS file for TimescaleDB: " + reason
                + ". Such a file begins with a line of tags and their types, a line for each measurement and its values, and an"
                + " empty line; tsbs_generate_data makes it with --format timescaledb, chunkroll generate with"
                + " --source.dataset tsbs-cpu");
    }

    /** Whether rows under this header are those of the other. */
    boolean agreesWith(TsbsHeader other) {
        return tags.equals(other.tags) && measurements.equals(other.measurements);
    }
}
