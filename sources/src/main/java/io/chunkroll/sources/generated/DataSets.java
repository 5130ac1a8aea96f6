package io.chunkroll.sources.generated;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** The data sets that there are. */
public final class DataSets {
    /** Hosts with ten percentages each, one row a host and step. */
    public static final DataSet CPU = new CpuDataSet();

    private static final List<DataSet> ALL = List.of(CPU);

    private DataSets() {}

    /**
     * The data set with this name, as {@code source.dataset} gives it.
     *
     * @throws IllegalArgumentException if there is none; the message lists those that there are
     */
    public static DataSet named(String name) {
        return ALL.stream()
                .filter(dataset -> dataset.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("source.dataset is " + name + ", but must be one of: "
                        + ALL.stream().map(DataSet::name).collect(joining(", "))));
    }
}
