package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The rows of the wide data. All of a row follows from the seed, its device and its step: nothing is kept, and a value costs one random
 * word, or two where values may be empty.
 */
final class WideRows implements RowGenerator {
    /** Words of a row before those of its values. */
    private static final int WORDS_AHEAD = 2;

    private static final int LONGEST_INT = 11;
    private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);

    private final FleetOptions fleet;
    private final WideOptions options;
    private final int firstDevice;
    private final int columns;
    private final long mostLateMicros;
    private final long lateBelow;
    private final long nullBelow;
    /** For json: what stands before each value. */
    private final byte[][] names;

    private final byte[] text;

    WideRows(FleetOptions fleet, WideOptions options, int firstDevice) {
        this.fleet = fleet;
        this.options = options;
        this.firstDevice = firstDevice;
        columns = options.columns();
        mostLateMicros = TimeUnit.SECONDS.toMicros(fleet.dataset().mostLate().toSeconds());
        lateBelow = Randomness.bound(options.disorder());
        nullBelow = Randomness.bound(options.nulls());
        names = options.valueType() == ValueType.JSON ? names(columns) : new byte[0][];
        int longest = LONGEST_INT + 1 + (names.length == 0 ? 0 : names[columns - 1].length);
        text = options.valueType().isColumnEach() ? new byte[0] : new byte[2 + columns * longest];
    }

    private static byte[][] names(int columns) {
        byte[][] names = new byte[columns][];
        for (int i = 0; i < columns; i++) {
            names[i] = ("\"c" + (i + 1) + "\":").getBytes(StandardCharsets.US_ASCII);
        }
        return names;
    }

    @Override
    public void skip(int slot, long fromStep, long toStep) {}

    @Override
    public void write(int slot, long step, FieldWriter row) {
        int device = firstDevice + slot;
        long key = Randomness.key(fleet.seed(), device);
        long word = step * (WORDS_AHEAD + 2L * columns);
        row.begin();
        row.timestampWithoutZone(fleet.timeOf(step) - lateness(key, word));
        row.int4(FleetTags.id(device));
        word += WORDS_AHEAD;
        switch (options.valueType()) {
            case INT -> writeInts(key, word, row);
            case FLOAT4 -> writeFloats(key, word, row);
            case FLOAT8 -> writeDoubles(key, word, row);
            case JSON -> row.json(text, spellJson(key, word));
            case ARRAY -> row.array(text, spellArray(key, word));
        }
        row.end();
    }

    /** In microseconds; 0 for most rows. */
    private long lateness(long key, long word) {
        return Randomness.isBelow(lateBelow, Randomness.word(key, word))
                ? 1 + Randomness.below(mostLateMicros, Randomness.word(key, word + 1))
                : 0;
    }

    private boolean isNull(long key, long word, int column) {
        return nullBelow != 0 && Randomness.isBelow(nullBelow, Randomness.word(key, word + columns + column));
    }

    private void writeInts(long key, long word, FieldWriter row) {
        for (int i = 0; i < columns; i++) {
            if (isNull(key, word, i)) {
                row.nullField();
            } else {
                row.int4((int) Randomness.word(key, word + i));
            }
        }
    }

    private void writeFloats(long key, long word, FieldWriter row) {
        for (int i = 0; i < columns; i++) {
            if (isNull(key, word, i)) {
                row.nullField();
            } else {
                row.float4(Randomness.below(FixedPoint.FLOAT_HUNDRED + 1, Randomness.word(key, word + i)));
            }
        }
    }

    private void writeDoubles(long key, long word, FieldWriter row) {
        for (int i = 0; i < columns; i++) {
            if (isNull(key, word, i)) {
                row.nullField();
            } else {
                row.fixedPoint(Randomness.below(FixedPoint.HUNDRED + 1, Randomness.word(key, word + i)));
            }
        }
    }

    /** Spells an object without the values that are empty, and returns its length. */
    private int spellJson(long key, long word) {
        int at = 0;
        text[at++] = '{';
        for (int i = 0; i < columns; i++) {
            if (!isNull(key, word, i)) {
                if (at > 1) {
                    text[at++] = ',';
                }
                System.arraycopy(names[i], 0, text, at, names[i].length);
                at = Decimals.putSigned(text, at + names[i].length, (int) Randomness.word(key, word + i));
            }
        }
        text[at++] = '}';
        return at;
    }

    private int spellArray(long key, long word) {
        int at = 0;
        text[at++] = '{';
        for (int i = 0; i < columns; i++) {
            if (i > 0) {
                text[at++] = ',';
            }
            if (isNull(key, word, i)) {
                System.arraycopy(NULL, 0, text, at, NULL.length);
                at += NULL.length;
            } else {
                at = Decimals.putSigned(text, at, (int) Randomness.word(key, word + i));
            }
        }
        text[at++] = '}';
        return at;
    }
}
