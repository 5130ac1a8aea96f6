package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.tags.TagsTable;
import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.FleetOptions;
import io.chunkroll.sources.fleet.FleetSource;
import io.chunkroll.sources.fleet.FleetTags;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A generated fleet. */
record FleetInput(FleetOptions fleet) implements Input {
    private static final Logger LOG = LoggerFactory.getLogger(FleetInput.class);

    @Override
    public Optional<Shape> shape() {
        return Optional.of(new Shape(fleet.dataset().table(), fleet.dataset().indexes()));
    }

    @Override
    public Fitted fit(TableDescription table, Settings settings) {
        TableDescription columns = fit(fleet.dataset(), table, settings.sink().table());
        return new Fitted(new FleetSource(fleet, columns.keyColumn()), columns, true);
    }

    @Override
    public List<Column> tags() {
        return fleet.dataset().tags().stream()
                .flatMap(tags -> tags.names().stream())
                .map(name -> new Column(name, ColumnType.TEXT, "text", false))
                .toList();
    }

    @Override
    public void fill(TagsTable table, Connection connection) throws SQLException {
        long begin = System.nanoTime();
        FleetTags tags = fleet.dataset().tags().orElseThrow();
        int added = table.fill(connection, fleet.devices(), device -> tags.values(fleet.seed(), device));
        LOG.info(
                "Table {} has the tags of {} devices; {} were added in {} ms",
                table.name(),
                fleet.devices(),
                added,
                (System.nanoTime() - begin) / 1_000_000);
    }

    /** The table's columns in the order of the data set's, which generated rows come in. */
    private static TableDescription fit(DataSet dataset, TableDescription table, String name) {
        List<Column> wanted = dataset.table().columns();
        List<Integer> indexes =
                wanted.stream().map(column -> table.indexOf(column.name())).toList();
        boolean fits = true;
        for (int i = 0; i < wanted.size(); i++) {
            int index = indexes.get(i);
            fits &= index >= 0
                    && table.columns().get(index).type() == wanted.get(i).type();
        }
        if (!fits) {
            throw new TargetException(
                    "Table " + name + " (sink.table) does not fit source.dataset " + dataset.name()
                            + ". The table has: " + table + ". The data set has: " + dataset.table()
                            + ". Name another table, or drop this one, which sink.create recreate does for a run on this machine");
        }
        return table.select(indexes);
    }
}
