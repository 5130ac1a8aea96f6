package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sources.csv.CsvOptions;
import io.chunkroll.sources.csv.CsvSource;
import io.chunkroll.sources.fleet.DataSet;
import java.util.Optional;

/** CSV files, whose types the table tells, or the data set that they hold. */
record CsvInput(CsvOptions options, Optional<DataSet> dataset) implements Input {

    @Override
    public Optional<Shape> shape() {
        return dataset.map(set -> new Shape(set.table(), set.indexes()));
    }

    @Override
    public Fitted fit(TableDescription table, Settings settings) {
        CsvSource csv = CsvSource.plan(options, table);
        checkKeyIsLoaded(settings, table, csv.table());
        return new Fitted(csv.source(), csv.table(), csv.feeds(settings.job().parallelism()));
    }

    private static void checkKeyIsLoaded(Settings settings, TableDescription table, TableDescription loaded) {
        boolean lost = table.keyColumn() != TableDescription.NONE && loaded.keyColumn() == TableDescription.NONE;
        Optional<String> asked = settings.job().partitionBy();
        if (lost && asked.isPresent() && !asked.get().equals(Settings.Job.NONE)) {
            throw new TargetException("job.partition-by is "
                    + asked.get()
                    + ", but the files of source.path do not fill that column, only "
                    + loaded + ": name one of these, or none");
        }
    }
}
