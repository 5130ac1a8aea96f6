package io.chunkroll.job.settings;

import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.DataSets;
import io.chunkroll.sources.fleet.TagPlace;
import io.chunkroll.sources.fleet.ValueType;
import io.chunkroll.sources.fleet.WideOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Configures the data set that was named, and refuses settings that are for another. */
final class DataSetAssembly {
    private static final String TSBS_CPU = "tsbs-cpu";
    private static final String WIDE = "wide";

    private final SettingsReader reader;

    DataSetAssembly(SettingsReader reader) {
        this.reader = reader;
    }

    /** Empty after a fault. */
    Optional<DataSet> dataset(DataSet named) {
        refuse(named, TSBS_CPU, List.of(AllSettings.TAGS));
        refuse(
                named,
                WIDE,
                List.of(AllSettings.COLUMNS, AllSettings.VALUE_TYPE, AllSettings.DISORDER, AllSettings.NULLS));
        return switch (named.name()) {
            case TSBS_CPU ->
                Optional.<TagPlace>ofNullable(reader.value(AllSettings.TAGS)).map(DataSets::tsbsCpu);
            case WIDE -> wide();
            default -> Optional.of(named);
        };
    }

    private void refuse(DataSet named, String owner, List<Setting<?>> settings) {
        if (!named.name().equals(owner)) {
            settings.forEach(
                    setting -> reader.refuse(setting, "is for source.dataset " + owner + ", not for " + named.name()));
        }
    }

    private Optional<DataSet> wide() {
        Long columns = reader.value(AllSettings.COLUMNS);
        ValueType type = reader.value(AllSettings.VALUE_TYPE);
        Double disorder = reader.value(AllSettings.DISORDER);
        Double nulls = reader.value(AllSettings.NULLS);
        if (Stream.of(columns, type, disorder, nulls).anyMatch(v -> v == null)) {
            return Optional.empty();
        }
        try {
            return Optional.of(DataSets.wide(new WideOptions(Math.toIntExact(columns), type, disorder, nulls)));
        } catch (IllegalArgumentException e) {
            reader.fault(e.getMessage());
            return Optional.empty();
        }
    }
}
