package io.chunkroll.sinks.jdbc;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.NumericText;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.apache.flink.connector.jdbc.JdbcStatementBuilder;

/** Reads a tuple field by field and sets a statement's parameters, each as its column's type. */
final class TupleBinder implements JdbcStatementBuilder<Tuple> {
    private static final long serialVersionUID = 1L;
    private static final LocalDate DATE_EPOCH = LocalDate.of(2000, 1, 1);
    private static final long EPOCH_SECOND = DATE_EPOCH.toEpochSecond(LocalTime.MIDNIGHT, ZoneOffset.UTC);
    private static final long MICROS = 1_000_000;

    private final ColumnType[] types;

    /** The driver's own statement within the one that was given last: a call through a proxy for each field would cost. */
    private transient PreparedStatement inner;

    private transient PreparedStatement given;

    TupleBinder(TableDescription columns) {
        boolean binary = columns.isBinary();
        types = columns.columns().stream()
                .map(Column::type)
                .map(type -> binary ? type : ColumnType.OTHER)
                .toArray(ColumnType[]::new);
    }

    @Override
    public void accept(PreparedStatement statement, Tuple row) throws SQLException {
        if (statement != given) {
            given = statement;
            inner = statement.unwrap(PreparedStatement.class);
        }
        byte[] bytes = row.bytes();
        int at = Short.BYTES;
        for (int i = 0; i < types.length; i++) {
            int length = BigEndian.getInt(bytes, at);
            at += Integer.BYTES;
            if (length < 0) {
                inner.setNull(i + 1, Types.NULL);
            } else {
                bind(inner, i + 1, types[i], bytes, at, length);
                at += length;
            }
        }
    }

    private static void bind(PreparedStatement statement, int index, ColumnType type, byte[] bytes, int at, int length)
            throws SQLException {
        switch (type) {
            case BOOL -> statement.setBoolean(index, bytes[at] != 0);
            case INT2 -> statement.setShort(index, BigEndian.getShort(bytes, at));
            case INT4 -> statement.setInt(index, BigEndian.getInt(bytes, at));
            case INT8 -> statement.setLong(index, BigEndian.getLong(bytes, at));
            case FLOAT4 -> statement.setFloat(index, Float.intBitsToFloat(BigEndian.getInt(bytes, at)));
            case FLOAT8 -> statement.setDouble(index, Double.longBitsToDouble(BigEndian.getLong(bytes, at)));
            case NUMERIC -> statement.setObject(index, NumericText.of(bytes, at), Types.OTHER);
            case TEXT, VARCHAR, CHAR -> statement.setString(index, text(bytes, at, length));
            case JSON, OTHER -> statement.setObject(index, text(bytes, at, length), Types.OTHER);
            case JSONB -> statement.setObject(index, text(bytes, at + 1, length - 1), Types.OTHER);
            case UUID ->
                statement.setObject(
                        index, new UUID(BigEndian.getLong(bytes, at), BigEndian.getLong(bytes, at + Long.BYTES)));
            case DATE -> statement.setObject(index, date(BigEndian.getInt(bytes, at)));
            case TIMESTAMP -> statement.setObject(index, timestamp(BigEndian.getLong(bytes, at)));
            case TIMESTAMPTZ -> statement.setObject(index, timestamptz(BigEndian.getLong(bytes, at)));
        }
    }

    private static String text(byte[] bytes, int at, int length) {
        return new String(bytes, at, length, StandardCharsets.UTF_8);
    }

    // The driver takes the ends of each Java type's range for the infinities.

    private static LocalDate date(int days) {
        return switch (days) {
            case Integer.MAX_VALUE -> LocalDate.MAX;
            case Integer.MIN_VALUE -> LocalDate.MIN;
            default -> DATE_EPOCH.plusDays(days);
        };
    }

    private static LocalDateTime timestamp(long micros) {
        if (micros == Long.MAX_VALUE) {
            return LocalDateTime.MAX;
        }
        if (micros == Long.MIN_VALUE) {
            return LocalDateTime.MIN;
        }
        long second = Math.floorDiv(micros, MICROS) + EPOCH_SECOND;
        return LocalDateTime.ofEpochSecond(second, (int) Math.floorMod(micros, MICROS) * 1_000, ZoneOffset.UTC);
    }

    private static OffsetDateTime timestamptz(long micros) {
        if (micros == Long.MAX_VALUE) {
            return OffsetDateTime.MAX;
        }
        if (micros == Long.MIN_VALUE) {
            return OffsetDateTime.MIN;
        }
        return timestamp(micros).atOffset(ZoneOffset.UTC);
    }
}
