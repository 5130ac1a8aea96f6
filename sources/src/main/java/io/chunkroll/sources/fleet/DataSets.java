package io.chunkroll.sources.fleet;

import java.util.List;
import java.util.Optional;

/** The data sets that there are. */
public final class DataSets {
    /** Hosts with ten percentages each, one row a host and step. */
    public static final DataSet CPU = new CpuDataSet();

    /** Numbered rows of whole numbers and texts. */
    public static final DataSet MIXED = new MixedDataSet();

    /** The customers of TPC-C. */
    public static final DataSet CUSTOMER = new CustomerDataSet();

    private static final List<DataSet> ALL =
            List.of(CPU, MIXED, tsbsCpu(TagPlace.TABLE), CUSTOMER, wide(WideOptions.USUAL));

    private DataSets() {}

    /** The hosts of TSBS's cpu-only use case: whole percentages, and tags. */
    public static DataSet tsbsCpu(TagPlace tags) {
        return new TsbsCpuDataSet(tags);
    }

    /** Devices with any number of values in a row. */
    public static DataSet wide(WideOptions options) {
        return new WideDataSet(options);
    }

    /** Their names, as {@code source.dataset} gives them. */
    public static List<String> names() {
        return ALL.stream().map(DataSet::name).toList();
    }

    /** The data set with this name, in its usual configuration; empty if there is none. */
    public static Optional<DataSet> named(String name) {
        return ALL.stream().filter(dataset -> dataset.name().equals(name)).findFirst();
    }
}
