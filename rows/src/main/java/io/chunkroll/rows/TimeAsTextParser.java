package io.chunkroll.rows;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;

/**
 * A date or time in a load that goes as text: read all the same, so that the row's time is known, then sent as it came. Where it was
 * in a format or zone that only the settings tell, the server gets it in ISO 8601.
 */
final class TimeAsTextParser implements ColumnParser {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyy-MM-dd G");
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS G");

    private final TimeText time;
    private final ColumnType type;
    private final boolean isRowTime;
    private final boolean asItCame;

    TimeAsTextParser(ParseOptions options, ColumnType type, boolean isRowTime) {
        time = TimeText.of(options);
        this.type = type;
        this.isRowTime = isRowTime;
        asItCame = options.equals(ParseOptions.DEFAULT);
    }

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        time.read(text, from, to, type == ColumnType.TIMESTAMPTZ);
        long micros = time.postgresMicros(text, from, to);
        if (isRowTime) {
            out.noteTime(TupleWriter.unixMicros(micros));
        }
        if (asItCame || time.infinity != 0) {
            out.putBytes(text, from, to);
        } else {
            byte[] iso = iso().getBytes(StandardCharsets.US_ASCII);
            out.putBytes(iso, 0, iso.length);
        }
    }

    private String iso() {
        if (type == ColumnType.DATE) {
            return DATE.format(LocalDate.ofEpochDay(time.day));
        }
        long day = time.day + Math.floorDiv(time.microsOfDay, TupleWriter.MICROS_PER_DAY);
        long nanos = Math.floorMod(time.microsOfDay, TupleWriter.MICROS_PER_DAY) * 1_000;
        String wall = TIMESTAMP.format(LocalDateTime.of(LocalDate.ofEpochDay(day), LocalTime.ofNanoOfDay(nanos)));
        return type == ColumnType.TIMESTAMPTZ ? wall.replace(" AD", "+00 AD").replace(" BC", "+00 BC") : wall;
    }
}
