package io.chunkroll.sinks.jdbc;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.FieldValues;
import io.chunkroll.rows.NumericText;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.apache.flink.connector.jdbc.JdbcStatementBuilder;

/** Reads a tuple field by field and sets a statement's parameters, each as its column's type. */
final class TupleBinder implements JdbcStatementBuilder<Tuple> {
    private static final long serialVersionUID = 1L;

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
            case TEXT, VARCHAR, CHAR -> statement.setString(index, FieldValues.text(bytes, at, length));
            case JSON, OTHER -> statement.setObject(index, FieldValues.text(bytes, at, length), Types.OTHER);
            case JSONB -> statement.setObject(index, FieldValues.text(bytes, at + 1, length - 1), Types.OTHER);
            case UUID -> statement.setObject(index, FieldValues.uuid(bytes, at));
            // The driver takes the ends of each Java type's range for the infinities.
            case DATE -> statement.setObject(index, FieldValues.date(BigEndian.getInt(bytes, at)));
            case TIMESTAMP -> statement.setObject(index, FieldValues.timestamp(BigEndian.getLong(bytes, at)));
            case TIMESTAMPTZ -> statement.setObject(index, FieldValues.timestamptz(BigEndian.getLong(bytes, at)));
        }
    }
}
