package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sources.tsbs.TsbsOptions;
import io.chunkroll.sources.tsbs.TsbsSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Files of TSBS, whose header tells tags and values.
 *
 * @param apart whether rows refer to a table of tags instead of having them
 */
record TsbsInput(TsbsSource files, boolean apart) implements Input {
    private static final Column ID = new Column("tags_id", ColumnType.INT4, "integer", false);

    static TsbsInput plan(TsbsOptions options, boolean apart) {
        return new TsbsInput(TsbsSource.plan(options), apart);
    }

    @Override
    public Optional<Shape> shape() {
        TableDescription tuples = files.columns();
        List<Column> columns = new ArrayList<>(columns());
        // What a header does not name comes last, where nobody looks for a tag.
        Column additional = tuples.columns().get(tuples.indexOf(TsbsSource.ADDITIONAL_TAGS));
        columns.remove(additional);
        columns.add(additional);
        List<Index> indexes = List.of(Index.parse(columns.get(1).name() + ", time desc"), Index.parse("time desc"));
        return Optional.of(new Shape(new TableDescription(columns, 0, 1), indexes));
    }

    /** Those that the table must have, in the order of tuples: the time, who it was, the rest. */
    private List<Column> columns() {
        List<Column> all = files.columns().columns();
        return apart
                ? Stream.of(
                                all.subList(0, 1),
                                List.of(ID),
                                all.subList(1 + files.tags().size(), all.size()))
                        .flatMap(List::stream)
                        .toList()
                : all;
    }

    @Override
    public List<Column> tags() {
        return apart ? files.tags() : List.of();
    }

    @Override
    public Fitted fit(TableDescription table, Settings settings) {
        checkName(settings);
        TableDescription columns = select(table, settings.sink().table());
        boolean feedsAll = files.feeds(settings.job().parallelism());
        if (!apart) {
            return new Fitted(files.source(columns), columns, feedsAll);
        }
        Column id = columns.columns().get(1);
        if (id.type() != ColumnType.INT4 || !columns.isBinary()) {
            throw new TargetException(
                    "Table " + settings.sink().table() + " (sink.table) must have tags_id as an integer, and no"
                            + " column of a type without a binary form, for source.tags table; it has " + table);
        }
        List<Column> tagged = new ArrayList<>(columns.columns());
        tagged.remove(1);
        tagged.addAll(1, files.tags());
        TableDescription in = new TableDescription(tagged, 0, 1);
        return new Fitted(files.source(in), columns, feedsAll, Optional.of(in));
    }

    /** A file of another measurement than cpu would fill a table of a misleading name. */
    private void checkName(Settings settings) {
        boolean chosen =
                settings.texts().containsKey("sink.table") || settings.texts().containsKey("source.tsbs.measurement");
        if (!chosen && !files.measurement().equals(TsbsOptions.USUAL_MEASUREMENT)) {
            throw new TargetException("The files of source.path hold the measurement " + files.measurement()
                    + ": name the table for it in sink.table");
        }
    }

    private TableDescription select(TableDescription table, String name) {
        List<Integer> indexes = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Column column : columns()) {
            int index = table.indexOf(column.name());
            if (index >= 0) {
                indexes.add(index);
            } else {
                missing.add(column.name());
            }
        }
        if (!missing.isEmpty()) {
            throw new TargetException(
                    "Table " + name + " (sink.table) has no column " + String.join(", ", missing)
                            + ", which the files of source.path fill. The table has: " + table
                            + ". Name another table, or drop this one, which sink.create recreate does for a run on this machine");
        }
        return table.select(indexes);
    }
}
