package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.io.Serializable;
import java.util.List;

/**
 * A kind of data that can be generated: its table, and how the row of any device at any step comes about.
 *
 * <p>A data set computes each row once and shows it to a {@link FieldWriter}, of which there is one for tuples and one for text. A
 * load that is generated in place and a file that is written first and loaded later therefore hold the same values.
 */
public abstract class DataSet implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String name;

    DataSet(String name) {
        this.name = name;
    }

    /** What {@code source.dataset} calls it. */
    public String name() {
        return name;
    }

    /** The table's columns, all of them in the order in which rows give them, with its time and key column. */
    public abstract TableDescription table();

    /** The indexes that a table of this data set has in the published studies. */
    public abstract List<Index> indexes();

    /** Makes the rows of the devices from {@code firstDevice} on, all at their beginning. */
    abstract RowGenerator generator(FleetOptions fleet, int firstDevice, int devices);

    /** How many bytes of heap a generator keeps for each of its devices. */
    abstract int bytesPerDevice();

    @Override
    public String toString() {
        return name;
    }
}
