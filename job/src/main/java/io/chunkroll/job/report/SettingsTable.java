package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Settings or environments of all runs side by side; what differs stands out. */
final class SettingsTable {
    private SettingsTable() {}

    static String of(String heading, List<MeasuredRun> runs, Function<RunSummary, SortedMap<String, String>> values) {
        List<SortedMap<String, String>> columns =
                runs.stream().map(run -> values.apply(run.summary())).toList();
        SortedSet<String> keys = new TreeSet<>();
        columns.forEach(column -> keys.addAll(column.keySet()));
        List<Html.Row> rows = new ArrayList<>();
        for (String key : keys) {
            List<String> found = columns.stream()
                    .map(column -> column.getOrDefault(key, "–"))
                    .toList();
            String style = found.stream().distinct().count() > 1 ? "differs" : "";
            rows.add(new Html.Row(
                    style, Stream.concat(Stream.of(key), found.stream()).toList()));
        }
        return Html.table(
                Stream.concat(Stream.of(heading), runs.stream().map(MeasuredRun::label))
                        .toList(),
                rows);
    }
}
