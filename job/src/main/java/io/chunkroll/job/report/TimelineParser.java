package io.chunkroll.job.report;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Reads lines of timeline.csv. Columns go by their names, so columns of a later version do no harm; those that an earlier one lacks are not measured. */
final class TimelineParser {
    private final Path file;
    private final Map<TimelineColumn, Integer> places;
    private final int columns;

    private TimelineParser(Path file, Map<TimelineColumn, Integer> places, int columns) {
        this.file = file;
        this.places = places;
        this.columns = columns;
    }

    static TimelineParser of(Path file, String header) {
        List<String> names = Arrays.asList(header.split(",", -1));
        Map<TimelineColumn, Integer> places = new EnumMap<>(TimelineColumn.class);
        for (TimelineColumn column : TimelineColumn.values()) {
            if (names.contains(column.header())) {
                places.put(column, names.indexOf(column.header()));
            }
        }
        String missing = Arrays.stream(TimelineColumn.values())
                .filter(column -> !column.isLater() && !places.containsKey(column))
                .map(TimelineColumn::header)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new ReportException(file + " lacks the columns " + missing + " in its header '" + header + "'");
        }
        return new TimelineParser(file, places, names.size());
    }

    TimelinePoint parse(String line, int lineNumber) {
        String[] cells = line.split(",", -1);
        if (cells.length != columns) {
            throw new ReportException(
                    file + ", line " + lineNumber + ": " + cells.length + " cells instead of " + columns);
        }
        try {
            return point(cells);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new ReportException(file + ", line " + lineNumber + ": " + e.getMessage() + " in '" + line + "'", e);
        }
    }

    private TimelinePoint point(String[] cells) {
        return new TimelinePoint(
                Instant.parse(cell(cells, TimelineColumn.TIME)),
                Double.parseDouble(cell(cells, TimelineColumn.ELAPSED_S)),
                cell(cells, TimelineColumn.PHASE),
                Long.parseLong(cell(cells, TimelineColumn.ROWS)),
                Double.parseDouble(cell(cells, TimelineColumn.ROWS_PER_S)),
                decimal(cells, TimelineColumn.BYTES_PER_S),
                decimal(cells, TimelineColumn.FLUSH_P50_MS),
                decimal(cells, TimelineColumn.FLUSH_P99_MS),
                whole(cells, TimelineColumn.CHUNKS),
                whole(cells, TimelineColumn.WAL_BYTES),
                decimal(cells, TimelineColumn.SERVER_CPU),
                decimal(cells, TimelineColumn.CLIENT_CPU),
                whole(cells, TimelineColumn.DISK_WRITE_BYTES),
                whole(cells, TimelineColumn.TABLE_BYTES),
                whole(cells, TimelineColumn.INDEX_BYTES));
    }

    private OptionalDouble decimal(String[] cells, TimelineColumn column) {
        String cell = cell(cells, column);
        return cell.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(cell));
    }

    private OptionalLong whole(String[] cells, TimelineColumn column) {
        String cell = cell(cells, column);
        return cell.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(cell));
    }

    private String cell(String[] cells, TimelineColumn column) {
        Integer place = places.get(column);
        return place == null ? "" : cells[place];
    }
}
