package io.chunkroll.sources.fleet;

import java.util.List;
import java.util.Optional;

/** The data sets that there are. */
public final class DataSets {
    /** Hosts with ten percentages each, one row a host and step. */
    public static final DataSet CPU = new CpuDataSet();

    private static final List<DataSet> ALL = List.of(CPU);

    private DataSets() {}

    /** Their names, as {@code source.dataset} gives them. */
    public static List<String> names() {
        return ALL.stream().map(DataSet::name).toList();
    }

    /** The data set with this name; empty if there is none. */
    public static Optional<DataSet> named(String name) {
        return ALL.stream().filter(dataset -> dataset.name().equals(name)).findFirst();
    }
}
