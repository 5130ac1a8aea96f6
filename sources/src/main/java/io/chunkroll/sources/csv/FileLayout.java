package io.chunkroll.sources.csv;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.sources.files.FileNames;
import io.chunkroll.sources.files.SourceException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.core.fs.Path;

/**
 * How a file is laid out.
 *
 * @param names for each field, the column it goes into, or {@link CsvOptions#SKIP}
 * @param fieldOfColumn for each column that is loaded, its field
 * @param dataStart where the first row begins, after byte-order mark and header
 * @param firstLine the line of the first row, counted from 1
 */
record FileLayout(List<String> names, int[] fieldOfColumn, long dataStart, long firstLine) {

    /**
     * Reads a file's head.
     *
     * @throws SourceException if the file's header names others than the columns that are loaded
     */
    static FileLayout of(Path file, CsvOptions options, LoadedColumns loaded) throws IOException {
        FileHead head = FileHead.read(file, options);
        FieldMap map = FieldMap.of(options, loaded, head.fields(), FileNames.of(file));
        FieldMap.Problem problem = new FieldMap.Problem(FileNames.of(file), head.fields(), loaded.table());
        checkNone(loaded, minus(loaded.indexes(), map.loaded()), problem, "lacks columns that the first file has: ");
        checkNone(loaded, minus(map.loaded(), loaded.indexes()), problem, "has columns that the first file lacks: ");
        return new FileLayout(
                map.columns().stream()
                        .map(column -> column == TableDescription.NONE ? CsvOptions.SKIP : loaded.name(column))
                        .toList(),
                loaded.indexes().stream().mapToInt(map.columns()::indexOf).toArray(),
                map.header() ? head.second() : head.first(),
                map.header() ? 1L + head.lines() : 1);
    }

    /** How many fields each row has. */
    int fields() {
        return names.size();
    }

    String nameOfField(int field) {
        return names.get(field);
    }

    private static Set<Integer> minus(Collection<Integer> columns, Collection<Integer> others) {
        Set<Integer> left = new HashSet<>(columns);
        left.removeAll(new HashSet<>(others));
        return left;
    }

    private static void checkNone(LoadedColumns loaded, Set<Integer> columns, FieldMap.Problem problem, String what) {
        if (!columns.isEmpty()) {
            throw problem.because(
                    "its header " + what + columns.stream().map(loaded::name).collect(joining(", ")));
        }
    }
}
