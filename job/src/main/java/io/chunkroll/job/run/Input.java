package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.rows.Column;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.tags.TagsTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.connector.source.Source;

/** Where rows come from, and what is known of them before there is a table. */
sealed interface Input permits CsvInput, FleetInput, TsbsInput {

    /**
     * What a table for the rows looks like.
     *
     * @param columns all of them, with the time and the key column
     */
    record Shape(TableDescription columns, List<Index> indexes) {}

    /**
     * The source of a load, fitted to its table.
     *
     * @param columns what tuples hold
     * @param feedsAll whether every subtask of the source has something to read
     * @param tagged what tuples of the source hold where an id is put in place of their tags; empty where they are as the columns say
     */
    record Fitted(
            Source<Tuple, ?, ?> source, TableDescription columns, boolean feedsAll, Optional<TableDescription> tagged) {

        Fitted(Source<Tuple, ?, ?> source, TableDescription columns, boolean feedsAll) {
            this(source, columns, feedsAll, Optional.empty());
        }
    }

    /** Looks at the files, if it is files. */
    static Input of(Settings settings) {
        Settings.Source source = settings.source();
        return switch (source.kind()) {
            case CSV -> new CsvInput(source.csv().orElseThrow(), source.dataset());
            case GENERATED -> new FleetInput(source.fleet().orElseThrow());
            case TSBS ->
                TsbsInput.plan(source.tsbs().orElseThrow(), source.tagsTable().isPresent());
        };
    }

    /** Empty where only a table that is there could tell. */
    Optional<Shape> shape();

    /**
     * Makes the source of a load into this table.
     *
     * @param table all columns of the table, with the key that is asked for
     * @throws io.chunkroll.sinks.table.TargetException if the rows do not fit into it
     */
    Fitted fit(TableDescription table, Settings settings);

    /** The tags to which rows refer, the first of which tells the hosts apart; none where rows do not. */
    default List<Column> tags() {
        return List.of();
    }

    /** Puts the tags of hosts that are known beforehand into their table. */
    default void fill(TagsTable table, Connection connection) throws SQLException {}

    /** The column by which rows are divided and sorted where nobody says otherwise. */
    default Optional<String> key() {
        return shape().map(Shape::columns)
                .filter(columns -> columns.keyColumn() != TableDescription.NONE)
                .map(columns -> columns.columns().get(columns.keyColumn()).name());
    }
}
