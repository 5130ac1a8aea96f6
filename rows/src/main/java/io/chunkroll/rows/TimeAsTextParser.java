package io.chunkroll.rows;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;

/**
 * A date or time in a load that goes as text: read all the same, so that the row's time is known, then sent as it came. Where it
 * depends on a format or a zone that only the settings tell, and not the server's session, the server gets it in ISO 8601.
 */
final class TimeAsTextParser implements ColumnParser {
    // Years of more than four digits without the plus sign that a pattern would give them.
    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 7, SignStyle.NOT_NEGATIVE)
            .appendPattern("-MM-dd")
            .toFormatter(Locale.ROOT);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("' 'HH:mm:ss.SSSSSS", Locale.ROOT);

    private final TimeText time;
    private final ColumnType type;
    private final boolean isRowTime;
    private final boolean asItCame;

    TimeAsTextParser(ParseOptions options, ColumnType type, boolean isRowTime) {
        time = TimeText.of(options);
        this.type = type;
        this.isRowTime = isRowTime;
        asItCame = type != ColumnType.TIMESTAMPTZ && options.timeFormat().equals(ParseOptions.DEFAULT.timeFormat());
    }

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        time.read(text, from, to, type == ColumnType.TIMESTAMPTZ);
        long unixMicros = type == ColumnType.DATE
                ? TupleWriter.unixMicrosOfDays(time.postgresDays(text, from, to))
                : TupleWriter.unixMicros(time.postgresMicros(text, from, to));
        if (isRowTime) {
            out.noteTime(unixMicros);
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
            return date(LocalDate.ofEpochDay(time.day), "");
        }
        long day = time.day + Math.floorDiv(time.microsOfDay, TupleWriter.MICROS_PER_DAY);
        long nanos = Math.floorMod(time.microsOfDay, TupleWriter.MICROS_PER_DAY) * 1_000;
        String wall = TIME.format(LocalTime.ofNanoOfDay(nanos));
        return date(LocalDate.ofEpochDay(day), type == ColumnType.TIMESTAMPTZ ? wall + "+00" : wall);
    }

    private static String date(LocalDate date, String time) {
        return DATE.format(date) + time + (date.getYear() > 0 ? "" : " BC");
    }
}
