package io.chunkroll.rows;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/** Shows an encoded row as a line of CSV, for people: NULL as an empty field, times in UTC. */
public final class RowText {
    private static final LocalDate DATE_EPOCH = LocalDate.of(2000, 1, 1);
    private static final LocalDateTime TIME_EPOCH = DATE_EPOCH.atStartOfDay();
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .toFormatter();

    private final ColumnType[] types;

    public RowText(TableDescription table) {
        boolean binary = table.isBinary();
        types = table.columns().stream()
                .map(column -> binary ? column.type() : ColumnType.OTHER)
                .toArray(ColumnType[]::new);
    }

    /** The row that begins at this index. */
    public String of(byte[] bytes, int start) {
        StringBuilder line = new StringBuilder();
        int at = start + Short.BYTES;
        for (int i = 0; i < types.length; i++) {
            line.append(i == 0 ? "" : ",");
            int length = BigEndian.getInt(bytes, at);
            at += Integer.BYTES;
            if (length >= 0) {
                line.append(quoted(field(types[i], bytes, at, length)));
                at += length;
            }
        }
        return line.toString();
    }

    private static String field(ColumnType type, byte[] bytes, int at, int length) {
        return switch (type) {
            case BOOL -> bytes[at] != 0 ? "t" : "f";
            case INT2 -> String.valueOf(BigEndian.getShort(bytes, at));
            case INT4 -> String.valueOf(BigEndian.getInt(bytes, at));
            case INT8 -> String.valueOf(BigEndian.getLong(bytes, at));
            case FLOAT4 -> String.valueOf(Float.intBitsToFloat(BigEndian.getInt(bytes, at)));
            case FLOAT8 -> String.valueOf(Double.longBitsToDouble(BigEndian.getLong(bytes, at)));
            case NUMERIC -> NumericText.of(bytes, at);
            case UUID -> new UUID(BigEndian.getLong(bytes, at), BigEndian.getLong(bytes, at + Long.BYTES)).toString();
            case DATE -> date(BigEndian.getInt(bytes, at));
            case TIMESTAMP -> time(BigEndian.getLong(bytes, at), "");
            case TIMESTAMPTZ -> time(BigEndian.getLong(bytes, at), "+00");
            case JSONB -> text(bytes, at + 1, length - 1);
            case TEXT, VARCHAR, CHAR, JSON, OTHER -> text(bytes, at, length);
        };
    }

    private static String date(int days) {
        return switch (days) {
            case Integer.MAX_VALUE -> "infinity";
            case Integer.MIN_VALUE -> "-infinity";
            default -> DATE_EPOCH.plusDays(days).toString();
        };
    }

    private static String time(long micros, String zone) {
        if (micros == Long.MAX_VALUE || micros == Long.MIN_VALUE) {
            return micros > 0 ? "infinity" : "-infinity";
        }
        return TIME.format(TIME_EPOCH.plus(micros, ChronoUnit.MICROS)) + zone;
    }

    private static String text(byte[] bytes, int at, int length) {
        return new String(bytes, at, length, StandardCharsets.UTF_8);
    }

    private static String quoted(String field) {
        boolean plain =
                !field.isEmpty() && field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }
}
