package io.chunkroll.rows;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

/** Reads encoded fields as values of Java. Infinite dates and times are the ends of their Java type's range, as the driver has it. */
public final class FieldValues {
    private static final LocalDate DATE_EPOCH = LocalDate.of(2000, 1, 1);
    private static final long EPOCH_SECOND = DATE_EPOCH.toEpochSecond(LocalTime.MIDNIGHT, ZoneOffset.UTC);
    private static final long MICROS = 1_000_000;

    private FieldValues() {}

    /** The value of a field of this type that is not NULL; numbers that are none are doubles, whatever their column is. */
    static Object of(ColumnType type, byte[] bytes, int at, int length) {
        return switch (type) {
            case BOOL -> bytes[at] != 0;
            case INT2 -> BigEndian.getShort(bytes, at);
            case INT4 -> BigEndian.getInt(bytes, at);
            case INT8 -> BigEndian.getLong(bytes, at);
            case FLOAT4 -> Float.intBitsToFloat(BigEndian.getInt(bytes, at));
            case FLOAT8 -> Double.longBitsToDouble(BigEndian.getLong(bytes, at));
            case NUMERIC -> numeric(NumericText.of(bytes, at));
            case TEXT, VARCHAR, CHAR, JSON, OTHER -> text(bytes, at, length);
            case JSONB -> text(bytes, at + 1, length - 1);
            case UUID -> uuid(bytes, at);
            case DATE -> date(BigEndian.getInt(bytes, at));
            case TIMESTAMP -> timestamp(BigEndian.getLong(bytes, at));
            case TIMESTAMPTZ -> instant(BigEndian.getLong(bytes, at));
        };
    }

    private static Number numeric(String text) {
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> new BigDecimal(text);
        };
    }

    /** The UTF-8 text of so many bytes that begins at this index. */
    public static String text(byte[] bytes, int at, int length) {
        return new String(bytes, at, length, StandardCharsets.UTF_8);
    }

    /** The identifier that begins at this index. */
    public static UUID uuid(byte[] bytes, int at) {
        return new UUID(BigEndian.getLong(bytes, at), BigEndian.getLong(bytes, at + Long.BYTES));
    }

    /** The date of an encoded count of days. */
    public static LocalDate date(int days) {
        return switch (days) {
            case Integer.MAX_VALUE -> LocalDate.MAX;
            case Integer.MIN_VALUE -> LocalDate.MIN;
            default -> DATE_EPOCH.plusDays(days);
        };
    }

    /** The time of an encoded count of microseconds. */
    public static LocalDateTime timestamp(long micros) {
        if (isInfinite(micros)) {
            return micros > 0 ? LocalDateTime.MAX : LocalDateTime.MIN;
        }
        long second = Math.floorDiv(micros, MICROS) + EPOCH_SECOND;
        return LocalDateTime.ofEpochSecond(second, nanos(micros), ZoneOffset.UTC);
    }

    /** The point in time of an encoded count of microseconds, in UTC. */
    public static OffsetDateTime timestamptz(long micros) {
        if (isInfinite(micros)) {
            return micros > 0 ? OffsetDateTime.MAX : OffsetDateTime.MIN;
        }
        return timestamp(micros).atOffset(ZoneOffset.UTC);
    }

    private static Instant instant(long micros) {
        if (isInfinite(micros)) {
            return micros > 0 ? Instant.MAX : Instant.MIN;
        }
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS) + EPOCH_SECOND, nanos(micros));
    }

    private static boolean isInfinite(long micros) {
        return micros == Long.MAX_VALUE || micros == Long.MIN_VALUE;
    }

    private static int nanos(long micros) {
        return (int) Math.floorMod(micros, MICROS) * 1_000;
    }
}
