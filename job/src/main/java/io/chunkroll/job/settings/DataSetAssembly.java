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

    /** Configures it; after a fault it is in its usual shape, so that what else is wrong comes to light. */
    DataSet dataset(DataSet named) {
        refuseOthers(named.name(), "not for " + named.name());
        Optional<DataSet> shaped =
                switch (named.name()) {
                    case TSBS_CPU ->
                        Optional.<TagPlace>ofNullable(reader.value(AllSettings.TAGS))
                                .map(DataSets::tsbsCpu);
                    case WIDE -> wide();
                    default -> Optional.empty();
                };
        return shaped.orElse(named);
    }

    /** Where no data set is named there is nothing to configure. */
    void refuseAll() {
        refuseOthers("", "which is not given");
    }

    /** Files of TSBS have tags, too. */
    void refuseAllButTags() {
        refuseOthers(TSBS_CPU, "which is not given");
    }

    private void refuseOthers(String name, String reason) {
        refuse(name, TSBS_CPU, List.of(AllSettings.TAGS), reason);
        refuse(
                name,
                WIDE,
                List.of(AllSettings.COLUMNS, AllSettings.VALUE_TYPE, AllSettings.DISORDER, AllSettings.NULLS),
                reason);
    }

    private void refuse(String name, String owner, List<Setting<?>> settings, String reason) {
        if (!name.equals(owner)) {
            settings.forEach(setting -> reader.refuse(setting, "is for source.dataset " + owner + ", " + reason));
        }
    }

    /** Empty after a fault. */
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
