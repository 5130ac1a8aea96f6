package io.chunkroll.sources.fleet;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The shape of the wide data.
 *
 * @param columns how many values a row has, 1 to 1,598, or to 1,600 where they share a column
 * @param valueType what they are
 * @param disorder the share of rows that are late, 0 to 1
 * @param nulls the share of values that are empty, 0 to 1
 */
public record WideOptions(int columns, ValueType valueType, double disorder, double nulls) implements Serializable {
    /** Ten whole numbers, in order, none empty. */
    public static final WideOptions USUAL = new WideOptions(10, ValueType.INT, 0, 0);

    private static final int MOST_VALUES = 1_600;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException that names all faults at once, each with its setting's key
     */
    public WideOptions {
        List<String> faults = new ArrayList<>();
        if (columns < 1 || columns > MOST_VALUES) {
            faults.add("source.columns is " + columns + ", but must be 1 to " + MOST_VALUES);
        } else if (valueType.isColumnEach()) {
            WideRow.fault(columns, valueType, nulls > 0).ifPresent(faults::add);
        }
        checkShare("source.disorder", disorder, faults);
        checkShare("source.nulls", nulls, faults);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
    }

    private static void checkShare(String key, double share, List<String> faults) {
        if (!(share >= 0 && share <= 1)) {
            faults.add(key + " is " + share + ", but must be a share from 0 to 1");
        }
    }
}
