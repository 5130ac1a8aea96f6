package io.chunkroll.job.settings;

import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.Settings.Source;
import io.chunkroll.job.settings.Settings.SourceKind;
import io.chunkroll.rows.ParseOptions;
import io.chunkroll.sources.csv.CsvDialect;
import io.chunkroll.sources.csv.CsvOptions;
import io.chunkroll.sources.files.SourceException;
import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.DataSets;
import io.chunkroll.sources.fleet.FleetOptions;
import io.chunkroll.sources.fleet.TagPlace;
import io.chunkroll.sources.tsbs.TsbsOptions;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.flink.util.TimeUtils;

/** Puts together what is loaded. */
final class SourceAssembly {
    private final SettingsReader reader;
    private final boolean here;

    /** @param here whether the load runs on this machine alone */
    SourceAssembly(SettingsReader reader, boolean here) {
        this.reader = reader;
        this.here = here;
    }

    Source source() {
        SourceKind kind = reader.value(AllSettings.SOURCE_KIND);
        Optional<DataSet> dataset = dataset(kind);
        Optional<FleetOptions> fleet = fleet(kind, dataset);
        Optional<CsvOptions> csv = csv(kind);
        Optional<TsbsOptions> tsbs = tsbs(kind);
        return new Source(kind, dataset, fleet, csv, tsbs, tagsTable(kind, dataset), mostRejects());
    }

    private Optional<DataSet> dataset(SourceKind kind) {
        DataSetAssembly assembly = new DataSetAssembly(reader);
        DataSet named = reader.value(AllSettings.DATASET);
        if (kind == SourceKind.TSBS) {
            reader.refuse(
                    AllSettings.DATASET,
                    "is not for source.kind tsbs, whose files tell by their header what they hold");
            assembly.refuseAllButTags();
            return Optional.empty();
        }
        if (named == null && kind != SourceKind.GENERATED) {
            assembly.refuseAll();
            return Optional.empty();
        }
        DataSet dataset = assembly.dataset(named == null ? DataSets.CPU : named);
        reader.byDefault(
                AllSettings.CHUNK_INTERVAL,
                TimeUtils.formatWithHighestUnit(dataset.defaults().chunkInterval()));
        return Optional.of(dataset);
    }

    private Optional<FleetOptions> fleet(SourceKind kind, Optional<DataSet> dataset) {
        if (kind != SourceKind.GENERATED) {
            AllSettings.fleet()
                    .forEach(setting -> reader.refuse(
                            setting, "is for source.kind generated, but source.kind is " + Setting.spelling(kind)));
            return Optional.empty();
        }
        return dataset.flatMap(new FleetAssembly(reader, here)::fleet);
    }

    private Optional<CsvOptions> csv(SourceKind kind) {
        if (kind == SourceKind.GENERATED) {
            reader.refuse(AllSettings.SOURCE_PATH, "is for source.kind csv or tsbs, but source.kind is generated");
        }
        if (kind != SourceKind.CSV) {
            AllSettings.csv()
                    .forEach(setting -> reader.refuse(
                            setting, "is for source.kind csv, but source.kind is " + Setting.spelling(kind)));
            return Optional.empty();
        }
        String path = path(kind);
        CsvOptions.Header header = reader.value(AllSettings.CSV_HEADER);
        List<String> columns = reader.value(AllSettings.CSV_COLUMNS);
        CsvOptions.OnBadRow onBadRow = reader.value(AllSettings.ON_BAD_ROW);
        CsvOptions.QuotedNewlines quotedNewlines = reader.value(AllSettings.CSV_QUOTED_NEWLINES);
        ZoneId zone = reader.value(AllSettings.CSV_TIME_ZONE);
        String timeFormat = reader.value(AllSettings.CSV_TIME_FORMAT);
        CsvDialect dialect = dialect();
        if (Stream.of(path, header, columns, onBadRow, quotedNewlines, zone, timeFormat, dialect)
                .anyMatch(v -> v == null)) {
            return Optional.empty();
        }
        return Optional.of(new CsvOptions(
                path, dialect, header, columns, new ParseOptions(zone, timeFormat), onBadRow, quotedNewlines));
    }

    /** Null after a fault. */
    private String path(SourceKind kind) {
        String path = reader.value(AllSettings.SOURCE_PATH);
        if (path == null && !reader.isSet(AllSettings.SOURCE_PATH)) {
            reader.fault(
                    "source.path: source.kind " + Setting.spelling(kind) + " needs a file, a folder or a glob to read");
        }
        return path;
    }

    private Optional<TsbsOptions> tsbs(SourceKind kind) {
        if (kind != SourceKind.TSBS) {
            reader.refuse(
                    AllSettings.MEASUREMENT, "is for source.kind tsbs, but source.kind is " + Setting.spelling(kind));
            return Optional.empty();
        }
        String path = path(kind);
        String measurement = reader.value(AllSettings.MEASUREMENT);
        boolean rejects = reader.value(AllSettings.ON_BAD_ROW) == CsvOptions.OnBadRow.REJECT;
        return path == null
                ? Optional.empty()
                : Optional.of(new TsbsOptions(path, measurement == null ? "" : measurement, rejects));
    }

    /** The table of tags, if rows refer to one. */
    private Optional<String> tagsTable(SourceKind kind, Optional<DataSet> dataset) {
        boolean refers =
                switch (kind) {
                    case TSBS -> reader.value(AllSettings.TAGS) == TagPlace.TABLE;
                    case GENERATED -> dataset.flatMap(DataSet::tags).isPresent();
                    case CSV -> false;
                };
        if (!refers) {
            reader.refuse(
                    AllSettings.TAGS_TABLE,
                    "is for generated rows of tsbs-cpu and files of TSBS with source.tags table");
        }
        String name = reader.value(AllSettings.TAGS_TABLE);
        return refers && reader.value(AllSettings.SINK_KIND) != SinkKind.DISCARD
                ? Optional.ofNullable(name)
                : Optional.empty();
    }

    /** Empty where bad rows fail the load. */
    private OptionalLong mostRejects() {
        Long most = reader.value(AllSettings.MAX_BAD_ROWS);
        if (reader.value(AllSettings.ON_BAD_ROW) != CsvOptions.OnBadRow.REJECT) {
            reader.refuse(AllSettings.MAX_BAD_ROWS, SettingsAssembly.REJECT_ONLY);
            return OptionalLong.empty();
        }
        return OptionalLong.of(most == null ? Long.MAX_VALUE : most);
    }

    /** Null after a fault. */
    private CsvDialect dialect() {
        Character delimiter = reader.value(AllSettings.CSV_DELIMITER);
        Character quote = reader.value(AllSettings.CSV_QUOTE);
        Character escape = reader.value(AllSettings.CSV_ESCAPE);
        String nullText = reader.value(AllSettings.CSV_NULL);
        if (delimiter == null || quote == null || (escape == null && reader.isSet(AllSettings.CSV_ESCAPE))) {
            return null;
        }
        try {
            return new CsvDialect(delimiter, quote, escape == null ? quote : escape, nullText);
        } catch (SourceException e) {
            reader.fault(e.getMessage());
            return null;
        }
    }
}
