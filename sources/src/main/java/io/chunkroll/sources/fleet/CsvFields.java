package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Column;
import java.nio.charset.StandardCharsets;

/**
 * Shows rows as lines of CSV, in the spelling of PostgreSQL: {@code 2016-01-03 23:59:30+00,host_1999,80.6521114433705,…}. Lines end
 * in LF, an empty field is NULL, and only arrays and json are quoted.
 */
final class CsvFields extends TextFields {
    private long lastTime;
    private byte[] lastTimeText = ValueText.time(0);
    private long lastLocalTime;
    private byte[] lastLocalTimeText = ValueText.timeWithoutZone(0);

    CsvFields(int capacity) {
        super(capacity);
    }

    /** Writes the column names as a line of their own. */
    @Override
    void header(DataSet dataset) {
        begin();
        for (Column column : dataset.table().columns()) {
            byte[] utf8 = column.name().getBytes(StandardCharsets.UTF_8);
            text(utf8, utf8.length);
        }
        end();
    }

    @Override
    public void begin() {}

    @Override
    public void timestamp(long unixMicros) {
        if (unixMicros != lastTime) {
            lastTime = unixMicros;
            lastTimeText = ValueText.time(unixMicros);
        }
        text(lastTimeText, lastTimeText.length);
    }

    @Override
    public void timestampWithoutZone(long unixMicros) {
        if (unixMicros != lastLocalTime) {
            lastLocalTime = unixMicros;
            lastLocalTimeText = ValueText.timeWithoutZone(unixMicros);
        }
        text(lastLocalTimeText, lastLocalTimeText.length);
    }

    @Override
    public void text(byte[] utf8, int length) {
        append(utf8, length);
        append(',');
    }

    @Override
    public void int4(int value) {
        endField(Decimals.putSigned(roomForValue(), length(), value));
    }

    @Override
    public void float4(int units) {
        endField(ValueText.putFloat(roomForValue(), length(), units));
    }

    @Override
    public void fixedPoint(long units) {
        endField(ValueText.putFixedPoint(roomForValue(), length(), units));
    }

    @Override
    public void wholeNumber(int value) {
        int4(value);
    }

    @Override
    public void numeric(long units, int scale) {
        endField(ValueText.putNumeric(roomForValue(), length(), units, scale));
    }

    @Override
    public void json(byte[] utf8, int length) {
        quoted(utf8, length);
    }

    @Override
    public void array(byte[] ascii, int length) {
        quoted(ascii, length);
    }

    private void quoted(byte[] text, int length) {
        byte[] bytes = room(2 * length + 3);
        int at = length();
        bytes[at++] = '"';
        for (int i = 0; i < length; i++) {
            if (text[i] == '"') {
                bytes[at++] = '"';
            }
            bytes[at++] = text[i];
        }
        bytes[at++] = '"';
        endField(at);
    }

    @Override
    public void nullField() {
        append(',');
    }

    /** The last field's separator becomes the line's end. */
    @Override
    public void end() {
        replaceLast('\n');
    }

    private byte[] roomForValue() {
        return room(ValueText.LONGEST + 1);
    }

    private void endField(int end) {
        endAt(end);
        append(',');
    }
}
