package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;

/** The rows of the customer data: clause 4.3.3.1 of TPC-C, with the deviations that {@link CustomerDataSet} tells of. */
final class CustomerRows extends NumberedRows {
    private static final int CUSTOMERS_PER_WAREHOUSE = 30_000;
    private static final int CUSTOMERS_PER_DISTRICT = 3_000;
    private static final int NAMES = 1_000;
    private static final byte[][] SYLLABLES = {
        ascii("BAR"),
        ascii("OUGHT"),
        ascii("ABLE"),
        ascii("PRI"),
        ascii("PRES"),
        ascii("ESE"),
        ascii("ANTI"),
        ascii("CALLY"),
        ascii("ATION"),
        ascii("EING")
    };
    private static final byte[] MIDDLE = ascii("OE");
    private static final byte[] GOOD_CREDIT = ascii("GC");
    private static final byte[] BAD_CREDIT = ascii("BC");
    private static final byte[] ZIP = ascii("000011111");
    private static final int ZIP_DIGITS = 4;
    private static final int PHONE_DIGITS = 16;
    private static final int SCALE = 4;
    private static final long ONE = 10_000;
    private static final int LONGEST_TEXT = 500;

    private final byte[] text = new byte[LONGEST_TEXT];
    private final byte[] zip = ZIP.clone();
    /** The next word of the row at work. */
    private long word;

    CustomerRows(FleetOptions fleet, int firstDevice) {
        super(fleet, firstDevice);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    void write(int number, long unixMicros, long key, FieldWriter row) {
        word = 0;
        row.begin();
        row.int4(number);
        row.int4((int) (Randomness.word(key, word++) >>> 33));
        row.int4(1 + (number - 1) / CUSTOMERS_PER_WAREHOUSE);
        writeName(number, key, row);
        writeAddress(key, row);
        row.timestampWithoutZone(unixMicros);
        row.text(below(10, key) == 0 ? BAD_CREDIT : GOOD_CREDIT, 2);
        row.numeric(50_000 * ONE, SCALE);
        row.numeric(below((int) ONE / 2 + 1, key), SCALE);
        row.numeric(-10 * ONE, SCALE);
        row.numeric(10 * ONE, SCALE);
        row.float4(FixedPoint.FLOAT_ONE);
        row.wholeNumber(0);
        randomText(300, 500, key, row);
        row.end();
    }

    private void writeName(int number, long key, FieldWriter row) {
        randomText(8, 16, key, row);
        row.text(MIDDLE, MIDDLE.length);
        int inDistrict = (number - 1) % CUSTOMERS_PER_DISTRICT;
        int name = inDistrict < NAMES ? inDistrict : nonUniformName(key);
        int length = append(append(append(0, name / 100), name / 10 % 10), name % 10);
        row.text(text, length);
    }

    private int append(int at, int syllable) {
        byte[] letters = SYLLABLES[syllable];
        System.arraycopy(letters, 0, text, at, letters.length);
        return at + letters.length;
    }

    /** NURand(255, 0, 999) of clause 2.1.6, with C = 0: some names are far more frequent than others. */
    private int nonUniformName(long key) {
        return (below(256, key) | below(NAMES, key)) % NAMES;
    }

    private void writeAddress(long key, FieldWriter row) {
        randomText(10, 20, key, row);
        randomText(10, 20, key, row);
        randomText(10, 20, key, row);
        randomText(2, 2, key, row);
        Decimals.putPadded(zip, 0, ZIP_DIGITS, below(10_000, key));
        row.text(zip, zip.length);
        Decimals.putPadded(text, 0, PHONE_DIGITS / 2, below(100_000_000, key));
        Decimals.putPadded(text, PHONE_DIGITS / 2, PHONE_DIGITS / 2, below(100_000_000, key));
        row.text(text, PHONE_DIGITS);
    }

    private void randomText(int shortest, int longest, long key, FieldWriter row) {
        int length = shortest == longest ? shortest : shortest + below(longest - shortest + 1, key);
        word = RandomText.fill(text, length, key, word);
        row.text(text, length);
    }

    private int below(int bound, long key) {
        return Randomness.below(bound, Randomness.word(key, word++));
    }
}
