package io.chunkroll.rows;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/** Times in a format of the user's own, a pattern of {@link DateTimeFormatter}; month and day names are English. */
final class PatternTimeText extends TimeText {
    private final String pattern;
    private final DateTimeFormatter format;
    private final ZoneId zone;

    PatternTimeText(String pattern, ZoneId zone) {
        this.pattern = pattern;
        this.zone = zone;
        format = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH);
    }

    @Override
    void read(byte[] text, int from, int to, boolean toUtc) throws BadValueException {
        try {
            TemporalAccessor parsed = format.parseBest(
                    FieldText.string(text, from, to), ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
            LocalDateTime local = local(parsed, toUtc);
            set(local.toLocalDate().toEpochDay(), local.getLong(ChronoField.MICRO_OF_DAY));
        } catch (DateTimeException e) {
            throw new BadValueException(
                    FieldText.quote(text, from, to) + " does not follow source.csv.time-format \"" + pattern + "\"");
        }
    }

    private LocalDateTime local(TemporalAccessor parsed, boolean toUtc) {
        if (parsed instanceof ZonedDateTime zoned) {
            return toUtc ? zoned.withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime() : zoned.toLocalDateTime();
        }
        LocalDateTime local =
                parsed instanceof LocalDate date ? date.atTime(LocalTime.MIDNIGHT) : LocalDateTime.from(parsed);
        return toUtc
                ? local.atZone(zone)
                        .withLaterOffsetAtOverlap()
                        .withZoneSameInstant(ZoneOffset.UTC)
                        .toLocalDateTime()
                : local;
    }
}
