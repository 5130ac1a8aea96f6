package io.chunkroll.rows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;

/** Encodes values of Java for one column: what {@link FieldValues} reads, and what can become that without a loss worth a word. */
final class ValueEncoder {
    private static final long SECONDS_PER_DAY = TupleWriter.MICROS_PER_DAY / TimeText.MICROS_PER_SECOND;
    private static final byte[] NO_TEXT = {};

    private final String sqlType;
    private final ColumnType type;
    private final ColumnParser text;
    /** Knows the range of times. */
    private final TimeText time = TimeText.of(ParseOptions.DEFAULT);

    /**
     * @param sqlType the column's type for messages
     * @param type how its values are given, {@link ColumnType#OTHER} where all are texts
     * @param text takes values that are texts or have digits
     */
    ValueEncoder(String sqlType, ColumnType type, ColumnParser text) {
        this.sqlType = sqlType;
        this.type = type;
        this.text = text;
    }

    /**
     * Puts the value; null is NULL.
     *
     * @throws BadValueException if the column cannot hold it
     */
    void put(Object value, TupleWriter out) throws BadValueException {
        if (value == null) {
            out.putNull();
            return;
        }
        switch (type) {
            case BOOL -> out.putBool(cast(Boolean.class, value, "a Boolean"));
            case INT2 -> out.putInt2((int) whole(value, Short.MIN_VALUE, Short.MAX_VALUE));
            case INT4 -> out.putInt4((int) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case INT8 -> out.putInt8(whole(value, Long.MIN_VALUE, Long.MAX_VALUE));
            case FLOAT4 -> out.putFloat4(real(cast(Number.class, value, "a Float")));
            case FLOAT8 -> out.putFloat8(cast(Number.class, value, "a Double").doubleValue());
            case NUMERIC -> putNumber(cast(Number.class, value, "a BigDecimal"), out);
            case TEXT, VARCHAR, CHAR, JSON, JSONB, OTHER -> putText(value, out);
            case UUID -> {
                UUID uuid = cast(UUID.class, value, "a UUID");
                byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array();
                out.putBytes(bytes, 0, bytes.length);
            }
            case DATE -> out.putInt4(days(cast(LocalDate.class, value, "a LocalDate")));
            case TIMESTAMP -> out.putInt8(micros(cast(LocalDateTime.class, value, "a LocalDateTime")));
            case TIMESTAMPTZ -> out.putInt8(micros(value));
        }
    }

    private <T> T cast(Class<T> wantedType, Object value, String wanted) throws BadValueException {
        if (!wantedType.isInstance(value)) {
            throw wrong(value, wanted);
        }
        return wantedType.cast(value);
    }

    private BadValueException wrong(Object value, String wanted) {
        return new BadValueException(
                "a " + value.getClass().getName() + " is given, and " + sqlType + " takes " + wanted);
    }

    private BadValueException outOfRange(Object value) {
        return new BadValueException(value + " is out of range for " + sqlType);
    }

    private long whole(Object value, long least, long most) throws BadValueException {
        BigInteger number;
        if (value instanceof BigInteger big) {
            number = big;
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            number = BigInteger.valueOf(((Number) value).longValue());
        } else {
            throw wrong(value, "a Long, Integer, Short or Byte");
        }
        if (number.compareTo(BigInteger.valueOf(least)) < 0 || number.compareTo(BigInteger.valueOf(most)) > 0) {
            throw outOfRange(value);
        }
        return number.longValue();
    }

    private float real(Number value) throws BadValueException {
        float number = value.floatValue();
        if (Float.isInfinite(number) && !Double.isInfinite(value.doubleValue())) {
            throw outOfRange(value);
        }
        return number;
    }

    private void putNumber(Number value, TupleWriter out) throws BadValueException {
        String digits = value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
        byte[] bytes = digits.getBytes(StandardCharsets.UTF_8);
        text.parse(bytes, 0, bytes.length, out);
    }

    private void putText(Object value, TupleWriter out) throws BadValueException {
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(cast(CharSequence.class, value, "a String")));
            byte[] bytes = new byte[utf8.remaining()];
            utf8.get(bytes);
            text.parse(bytes, 0, bytes.length, out);
        } catch (CharacterCodingException e) {
            throw new BadValueException("half of a surrogate pair cannot be stored in a text column");
        }
    }

    private int days(LocalDate date) throws BadValueException {
        if (date.equals(LocalDate.MAX) || date.equals(LocalDate.MIN)) {
            return date.equals(LocalDate.MAX) ? Integer.MAX_VALUE : Integer.MIN_VALUE;
        }
        time.set(date.toEpochDay(), 0);
        try {
            return time.postgresDays(NO_TEXT, 0, 0);
        } catch (BadValueException e) {
            throw outOfRange(date);
        }
    }

    private long micros(LocalDateTime value) throws BadValueException {
        if (value.equals(LocalDateTime.MAX) || value.equals(LocalDateTime.MIN)) {
            return infinite(value.equals(LocalDateTime.MAX));
        }
        return micros(value.toInstant(ZoneOffset.UTC), value);
    }

    private long micros(Object value) throws BadValueException {
        if (value.equals(Instant.MAX) || value.equals(OffsetDateTime.MAX)) {
            return infinite(true);
        }
        if (value.equals(Instant.MIN) || value.equals(OffsetDateTime.MIN)) {
            return infinite(false);
        }
        if (value instanceof Instant instant) {
            return micros(instant, value);
        }
        if (value instanceof OffsetDateTime offset) {
            return micros(offset.toInstant(), value);
        }
        if (value instanceof ZonedDateTime zoned) {
            return micros(zoned.toInstant(), value);
        }
        throw wrong(value, "an Instant, OffsetDateTime or ZonedDateTime");
    }

    private static long infinite(boolean late) {
        return late ? Long.MAX_VALUE : Long.MIN_VALUE;
    }

    /** What is finer than a microsecond is cut off. */
    private long micros(Instant instant, Object value) throws BadValueException {
        long second = instant.getEpochSecond();
        time.set(
                Math.floorDiv(second, SECONDS_PER_DAY),
                Math.floorMod(second, SECONDS_PER_DAY) * TimeText.MICROS_PER_SECOND + instant.getNano() / 1_000);
        try {
            return time.postgresMicros(NO_TEXT, 0, 0);
        } catch (BadValueException e) {
            throw outOfRange(value);
        }
    }
}
