package io.chunkroll.sources.csv;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.sources.files.SourceException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which field of a file goes into which column of the table.
 *
 * @param columns for each field of the file, its column's index in the table, or {@link TableDescription#NONE}
 * @param header whether the file's first line is no row
 */
record FieldMap(List<Integer> columns, boolean header) {

    /**
     * Maps a file's fields by the explicit columns, else by the file's own header, else in the order given.
     *
     * @param order the columns of a file that names none
     * @param file for messages
     * @throws SourceException if a name is not among the table's columns or stands there twice
     */
    static FieldMap of(CsvOptions options, LoadedColumns order, List<String> firstLine, String file) {
        TableDescription table = order.table();
        boolean header =
                switch (options.header()) {
                    case YES -> true;
                    case NO -> false;
                    case AUTO -> firstLine.stream().anyMatch(field -> indexOf(table, field) != TableDescription.NONE);
                };
        Problem problem = new Problem(file, firstLine, table);
        boolean named = header && !firstLine.isEmpty();
        if (!options.columns().isEmpty()) {
            List<Integer> columns = new Names(table, "source.csv.columns", problem).explicit(options.columns());
            if (named && firstLine.size() != columns.size()) {
                throw problem.because("source.csv.columns names " + columns.size() + " fields, but the header has "
                        + firstLine.size());
            }
            return new FieldMap(columns, header);
        }
        return named
                ? new FieldMap(new Names(table, "the header", problem).all(firstLine), true)
                : new FieldMap(order.indexes(), header);
    }

    /** The columns that are loaded, in the order of the file's fields. */
    List<Integer> loaded() {
        return columns.stream()
                .filter(column -> column != TableDescription.NONE)
                .toList();
    }

    private static int indexOf(TableDescription table, String name) {
        return table.indexOf(name.strip());
    }

    /** Finds columns by names that stand at one place, the header or a setting. */
    private record Names(TableDescription table, String where, Problem problem) {
        List<Integer> explicit(List<String> names) {
            List<Integer> columns =
                    all(names.stream().filter(name -> !isSkipped(name)).toList());
            if (columns.isEmpty()) {
                throw problem.because(where + " skips every field, and at least one must be loaded");
            }
            var next = columns.iterator();
            return names.stream()
                    .map(name -> isSkipped(name) ? Integer.valueOf(TableDescription.NONE) : next.next())
                    .toList();
        }

        List<Integer> all(List<String> names) {
            List<Integer> columns = new ArrayList<>();
            List<String> unknown = new ArrayList<>();
            for (String name : names) {
                int column = indexOf(table, name);
                if (column == TableDescription.NONE) {
                    unknown.add(name);
                } else if (columns.contains(column)) {
                    throw problem.because(where + " names the column " + name + " twice");
                } else {
                    columns.add(column);
                }
            }
            if (!unknown.isEmpty()) {
                throw problem.because(
                        where + " names columns that the table does not have: " + String.join(", ", unknown));
            }
            return columns;
        }

        private static boolean isSkipped(String name) {
            return name.strip().equals(CsvOptions.SKIP);
        }
    }

    /** Tells what does not fit, with both lists of columns and the way out. */
    record Problem(String file, List<String> firstLine, TableDescription table) {
        SourceException because(String reason) {
            List<String> names = table.columns().stream().map(Column::name).toList();
            return new SourceException(file + ": " + reason + ". The file's first line: " + String.join(", ", firstLine)
                    + ". The table's columns: " + String.join(", ", names)
                    + ". Give source.csv.columns with one of these names for each field, in the file's order, and '"
                    + CsvOptions.SKIP
                    + "' for a field to leave out; or source.csv.header no if the first line is a row.");
        }
    }
}
