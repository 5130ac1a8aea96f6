package io.chunkroll.rows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes one row after the other into a tuple that it reuses: {@link #begin()}, one {@code put…} for each column in the
 * description's order, {@link #end()}.
 *
 * <p>It notes the row's time and partition key as their columns pass by. Not safe for several threads.
 */
public final class TupleWriter {
    private static final int NULL_LENGTH = -1;
    /** PostgreSQL counts days and microseconds from 2000-01-01. */
    static final long POSTGRES_EPOCH_MICROS = 946_684_800_000_000L;

    static final long MICROS_PER_DAY = 86_400_000_000L;

    private final Tuple tuple = new Tuple(new byte[512]);
    private final int fields;
    private final int timeColumn;
    private final int keyColumn;
    private final ColumnType timeType;
    private final boolean timeIsEncoded;

    private byte[] bytes = tuple.bytes;
    private int position;
    private int field;

    public TupleWriter(TableDescription table) {
        fields = table.columns().size();
        timeColumn = table.timeColumn();
        keyColumn = table.keyColumn();
        timeType = timeColumn == TableDescription.NONE
                ? ColumnType.OTHER
                : table.columns().get(timeColumn).type();
        timeIsEncoded = table.isBinary();
    }

    /** Starts a row; whatever was begun before and not ended is forgotten. */
    public void begin() {
        tuple.time = Tuple.NO_TIME;
        tuple.keyOffset = Tuple.NO_KEY;
        tuple.keyHash = 0;
        BigEndian.putShort(bytes, 0, fields);
        position = Short.BYTES;
        field = 0;
    }

    /** Ends the row. The tuple is good until the next {@link #begin()}. */
    public Tuple end() {
        if (field != fields) {
            throw new IllegalStateException("The row has " + field + " fields, its table " + fields);
        }
        tuple.bytes = bytes;
        tuple.length = position;
        tuple.originLength = 0;
        return tuple;
    }

    /** As {@link #end()}; the tuple also tells where the row came from. */
    public Tuple end(Origin origin) {
        byte[] encoded = origin.encode();
        reserve(encoded.length);
        System.arraycopy(encoded, 0, bytes, position, encoded.length);
        end();
        tuple.originLength = encoded.length;
        return tuple;
    }

    public void putNull() {
        reserve(Integer.BYTES);
        BigEndian.putInt(bytes, position, NULL_LENGTH);
        position += Integer.BYTES;
        field++;
    }

    public void putBool(boolean value) {
        int at = startFixed(1);
        bytes[at] = (byte) (value ? 1 : 0);
        endField(at);
    }

    public void putInt2(int value) {
        int at = startFixed(Short.BYTES);
        BigEndian.putShort(bytes, at, value);
        endField(at);
    }

    public void putInt4(int value) {
        int at = startFixed(Integer.BYTES);
        BigEndian.putInt(bytes, at, value);
        endField(at);
    }

    public void putInt8(long value) {
        int at = startFixed(Long.BYTES);
        BigEndian.putLong(bytes, at, value);
        endField(at);
    }

    public void putFloat4(float value) {
        putInt4(Float.floatToIntBits(value));
    }

    public void putFloat8(double value) {
        putInt8(Double.doubleToLongBits(value));
    }

    /** Puts a {@code timestamp} or {@code timestamptz}, given in microseconds since 1970-01-01 UTC. */
    public void putTimestamp(long unixMicros) {
        putInt8(unixMicros - POSTGRES_EPOCH_MICROS);
    }

    public void putText(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        putBytes(utf8, 0, utf8.length);
    }

    /** Puts a value that is encoded already, the bytes from {@code from} up to {@code to}. */
    public void putBytes(byte[] source, int from, int to) {
        int at = startFixed(to - from);
        System.arraycopy(source, from, bytes, at, to - from);
        endField(at);
    }

    /**
     * Puts a {@code numeric}, given as a whole number of units of its last decimal: 12.3400 is 123400 with scale 4.
     *
     * @param units a number of up to 15 digits
     * @param scale how many decimals it has
     * @throws ArithmeticException if it has too many digits
     */
    public void putNumeric(long units, int scale) {
        int at = startFixed(SmallNumeric.bytes(units, scale));
        SmallNumeric.put(bytes, at, units, scale);
        endField(at);
    }

    /** Puts a value of PostgreSQL's {@code jsonb}: its format version, then the text. */
    public void putJsonb(byte[] source, int from, int to) {
        int at = startFixed(1 + to - from);
        bytes[at] = 1;
        System.arraycopy(source, from, bytes, at + 1, to - from);
        endField(at);
    }

    /**
     * Tells the row's time, in microseconds since 1970-01-01 UTC, where the time column travels as text and cannot be read off
     * its encoded form.
     */
    public void noteTime(long unixMicros) {
        tuple.time = unixMicros;
    }

    /** Writes the length of the field that begins and makes room for it; the value goes to the returned offset. */
    private int startFixed(int length) {
        reserve(Integer.BYTES + length);
        BigEndian.putInt(bytes, position, length);
        int at = position + Integer.BYTES;
        position = at + length;
        return at;
    }

    private void endField(int at) {
        if (field == timeColumn && timeIsEncoded) {
            tuple.time = readTime(at);
        }
        if (field == keyColumn) {
            tuple.keyOffset = at;
            tuple.keyHash = hash(bytes, at, position);
        }
        field++;
    }

    private long readTime(int at) {
        return switch (timeType) {
            case INT2 -> BigEndian.getShort(bytes, at);
            case INT4 -> BigEndian.getInt(bytes, at);
            case DATE -> unixMicrosOfDays(BigEndian.getInt(bytes, at));
            case TIMESTAMP, TIMESTAMPTZ -> unixMicros(BigEndian.getLong(bytes, at));
            case INT8 -> BigEndian.getLong(bytes, at);
            default -> Tuple.NO_TIME;
        };
    }

    /** PostgreSQL's days since 2000 as microseconds since 1970, held at the ends of the range. */
    static long unixMicrosOfDays(long days) {
        if (days == Integer.MAX_VALUE || days == Integer.MIN_VALUE) {
            return days > 0 ? Long.MAX_VALUE : Tuple.NO_TIME + 1;
        }
        long unixDays = days + POSTGRES_EPOCH_MICROS / MICROS_PER_DAY;
        return unixDays > Long.MAX_VALUE / MICROS_PER_DAY ? Long.MAX_VALUE : unixDays * MICROS_PER_DAY;
    }

    /** PostgreSQL's microseconds since 2000 as those since 1970, held at the ends of the range. */
    static long unixMicros(long postgresMicros) {
        if (postgresMicros > Long.MAX_VALUE - POSTGRES_EPOCH_MICROS) {
            return Long.MAX_VALUE;
        }
        return postgresMicros == Long.MIN_VALUE ? Tuple.NO_TIME + 1 : postgresMicros + POSTGRES_EPOCH_MICROS;
    }

    private void reserve(int more) {
        if (bytes.length - position < more) {
            bytes = Arrays.copyOf(bytes, Math.max(position + more, 2 * bytes.length));
        }
    }

    /** Eight bytes at a time by multiplication, then MurmurHash3's finalizer, so that neighbouring names fall far apart. */
    static int hash(byte[] bytes, int from, int to) {
        long hash = (long) to - from;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = (hash ^ BigEndian.getLong(bytes, at)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        for (; at < to; at++) {
            hash = (hash ^ bytes[at]) * 0x9E3779B97F4A7C15L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        return (int) (hash ^ (hash >>> 33));
    }
}
