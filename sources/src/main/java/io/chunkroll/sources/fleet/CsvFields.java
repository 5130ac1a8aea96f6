package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * Shows rows as lines of CSV, in the spelling of PostgreSQL: {@code 2016-01-03 23:59:30+00,host_1999,80.6521114433705,…}. Lines end
 * in LF, and nothing is quoted.
 */
final class CsvFields implements FieldWriter {
    private static final long MICROS_PER_SECOND = 1_000_000;
    /** A separator, "100" and a point, and the decimals. */
    private static final int LONGEST_FIXED_POINT = 5 + FixedPoint.DECIMALS;
    /** The fraction is split into 6 and 7 digits, which fit an int each. */
    private static final int LOW_DIGITS = 7;

    private static final long LOW = 10_000_000;

    private byte[] bytes;
    private int position;
    private long lastTime;
    private byte[] lastTimeText = timeText(0);

    CsvFields(int capacity) {
        bytes = new byte[capacity];
    }

    /** What has been written, from its start. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return position;
    }

    /** Forgets what has been written. */
    void clear() {
        position = 0;
    }

    /** Writes the column names as a line of their own. */
    void header(Iterable<String> names) {
        begin();
        for (String name : names) {
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
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
            lastTimeText = timeText(unixMicros);
        }
        text(lastTimeText, lastTimeText.length);
    }

    @Override
    public void text(byte[] utf8, int length) {
        reserve(length + 1);
        System.arraycopy(utf8, 0, bytes, position, length);
        position += length;
        bytes[position++] = ',';
    }

    @Override
    public void fixedPoint(long units) {
        reserve(LONGEST_FIXED_POINT);
        int whole = (int) (units / FixedPoint.ONE);
        long fraction = units - whole * FixedPoint.ONE;
        int end = position + Decimals.digits(whole);
        Decimals.put(bytes, end, whole);
        if (fraction != 0) {
            end = putFraction(end, fraction);
        }
        bytes[end] = ',';
        position = end + 1;
    }

    private int putFraction(int at, long fraction) {
        bytes[at] = '.';
        int high = (int) (fraction / LOW);
        int highDigits = FixedPoint.DECIMALS - LOW_DIGITS;
        Decimals.putPadded(bytes, at + 1, highDigits, high);
        Decimals.putPadded(bytes, at + 1 + highDigits, LOW_DIGITS, (int) (fraction - high * LOW));
        int end = at + 1 + FixedPoint.DECIMALS;
        while (bytes[end - 1] == '0') {
            end--;
        }
        return end;
    }

    /** The last field's separator becomes the line's end. */
    @Override
    public void end() {
        bytes[position - 1] = '\n';
    }

    private void reserve(int more) {
        if (bytes.length - position < more) {
            bytes = Arrays.copyOf(bytes, Math.max(position + more, 2 * bytes.length));
        }
    }

    private static byte[] timeText(long unixMicros) {
        int micros = (int) Math.floorMod(unixMicros, MICROS_PER_SECOND);
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(Math.floorDiv(unixMicros, MICROS_PER_SECOND), 0, ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(32);
        pad(text, 4, time.getYear()).append('-');
        pad(text, 2, time.getMonthValue()).append('-');
        pad(text, 2, time.getDayOfMonth()).append(' ');
        pad(text, 2, time.getHour()).append(':');
        pad(text, 2, time.getMinute()).append(':');
        pad(text, 2, time.getSecond());
        if (micros != 0) {
            pad(text.append('.'), 6, micros);
            while (text.charAt(text.length() - 1) == '0') {
                text.setLength(text.length() - 1);
            }
        }
        return text.append("+00").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static StringBuilder pad(StringBuilder text, int digits, int number) {
        for (int missing = digits - Decimals.digits(number); missing > 0; missing--) {
            text.append('0');
        }
        return text.append(number);
    }
}
