package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A kind of data that can be generated: its table, and how the row of any device at any step comes about. A data set that can be had in
 * several shapes is configured already, and never changes.
 *
 * <p>A data set computes each row once and shows it to a {@link FieldWriter}, of which there is one for tuples and one for each kind of
 * text. A load that is generated in place and a file that is written first and loaded later therefore hold the same values.
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

    /** What the table is called where nobody chose a name. */
    public String tableName() {
        return name;
    }

    /** What is generated where nothing is said. */
    public abstract FleetDefaults defaults();

    /** The table's columns, all of them in the order in which rows give them, with its time and key column. */
    public abstract TableDescription table();

    /** The indexes that a table of this data set has in the published studies. */
    public abstract List<Index> indexes();

    /** The tags of the devices, where rows refer to them in a table of their own; empty where there is none. */
    public Optional<FleetTags> tags() {
        return Optional.empty();
    }

    /** The formats in which it can be written to a file, the usual one first. */
    public List<FleetFileFormat> fileFormats() {
        return List.of(FleetFileFormat.CSV);
    }

    /** Makes the rows of the devices from {@code firstDevice} on, all at their beginning. */
    abstract RowGenerator generator(FleetOptions fleet, int firstDevice, int devices);

    /** How many bytes of heap a generator keeps for each of its devices; 0 where a row follows from its place alone. */
    abstract int bytesPerDevice();

    /** How far behind its step's time a row's can be. */
    Duration mostLate() {
        return Duration.ZERO;
    }

    /** How many values a row has, also where a column holds several. */
    int valuesPerRow() {
        return table().columns().size();
    }

    /** Its name, with its configuration if it has one; two are equal where this is. A checkpoint's fingerprint rests on it. */
    @Override
    public String toString() {
        return name;
    }

    @Override
    public final boolean equals(Object object) {
        return object instanceof DataSet other && toString().equals(other.toString());
    }

    @Override
    public final int hashCode() {
        return toString().hashCode();
    }
}
