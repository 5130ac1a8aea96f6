package io.chunkroll.sources.fleet;

/**
 * The rows of the mixed data. Texts have 1 to 20 characters: a row then takes 187 bytes of the server's heap, as the published rows
 * do.
 */
final class MixedRows extends NumberedRows {
    private static final int LONGEST_TEXT = 20;

    private final byte[] text = new byte[LONGEST_TEXT];

    MixedRows(FleetOptions fleet, int firstDevice) {
        super(fleet, firstDevice);
    }

    @Override
    void write(int number, long unixMicros, long key, FieldWriter row) {
        row.begin();
        row.timestamp(unixMicros);
        row.int4(number);
        long word = 0;
        for (int i = 0; i < MixedDataSet.INTEGERS; i++) {
            row.int4((int) Randomness.word(key, word++));
        }
        for (int i = 0; i < MixedDataSet.TEXTS; i++) {
            int length = 1 + Randomness.below(LONGEST_TEXT, Randomness.word(key, word++));
            word = RandomText.fill(text, length, key, word);
            row.text(text, length);
        }
        row.end();
    }
}
