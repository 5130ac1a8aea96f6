package io.chunkroll.sources.fleet;

import java.util.Locale;
import java.util.Optional;

/** How many bytes a row of the wide data takes in the server's table, where no row may be larger than a page. */
final class WideRow {
    /** {@code MaxHeapAttributeNumber}. */
    private static final int MOST_COLUMNS = 1_600;
    /** {@code MaxHeapTupleSize} of pages of 8 kB. */
    private static final int MOST_BYTES = 8_160;

    private static final int OTHER_COLUMNS = 2;
    private static final int HEADER = 23;
    private static final int TIME_AND_TAG = Long.BYTES + Integer.BYTES;

    private WideRow() {}

    /** What is wrong with a table that has a column for each value; numbers are never stored out of line. */
    static Optional<String> fault(int values, ValueType type, boolean hasNulls) {
        int most = MOST_COLUMNS - OTHER_COLUMNS;
        if (values > most) {
            return Optional.of("source.columns is " + values + ", but with ts and tag_id PostgreSQL takes no more than "
                    + MOST_COLUMNS + " columns: give " + most
                    + " at most, or source.value-type json or array, which need one column for all");
        }
        int bytes = bytes(values, type, hasNulls);
        if (bytes <= MOST_BYTES) {
            return Optional.empty();
        }
        int fitting = values;
        while (bytes(fitting, type, hasNulls) > MOST_BYTES) {
            fitting--;
        }
        return Optional.of("source.columns is " + values + " and source.value-type is "
                + type.name().toLowerCase(Locale.ROOT) + ", so that a row can have " + bytes
                + " bytes, but a page of PostgreSQL's holds one of " + MOST_BYTES + ": give " + fitting
                + " columns at most, or a smaller type");
    }

    /** The largest that a row can be: with a null there is a bitmap, which is larger than the one value that is missing. */
    static int bytes(int values, ValueType type, boolean hasNulls) {
        int width = type == ValueType.FLOAT8 ? Double.BYTES : Integer.BYTES;
        int full = aligned(HEADER) + data(values, width);
        int columns = values + OTHER_COLUMNS;
        int withNull = aligned(HEADER + (columns + Byte.SIZE - 1) / Byte.SIZE) + data(values - 1, width);
        return hasNulls ? Math.max(full, withNull) : full;
    }

    private static int data(int values, int width) {
        int before = width == Double.BYTES && values > 0 ? aligned(TIME_AND_TAG) : TIME_AND_TAG;
        return before + values * width;
    }

    private static int aligned(int bytes) {
        return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }
}
