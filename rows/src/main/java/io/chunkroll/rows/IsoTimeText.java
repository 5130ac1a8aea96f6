package io.chunkroll.rows;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/**
 * Dates and times in ISO 8601 and in the forms of it that PostgreSQL writes: {@code 2016-01-03 23:59:30.123456+00},
 * {@code 20160103T235930Z}, {@code 2016/1/3}, {@code 0044-03-15 BC}, {@code 12345-01-01}, {@code 2016-01-03 12:00 Europe/Berlin},
 * {@code infinity}, {@code epoch}. PostgreSQL reads more (names of months, zones by abbreviation, {@code now}): such a text is
 * refused with a hint rather than guessed at.
 */
final class IsoTimeText extends TimeText {
    private static final int MAX_YEAR_DIGITS = 7;
    private static final int MAX_OFFSET_HOURS = 15;

    private final ZoneId zone;
    private final int fixedOffset;
    private final boolean zoneIsFixed;

    private byte[] text;
    private int at;
    private int end;
    private int begin;

    IsoTimeText(ZoneId zone) {
        this.zone = zone;
        zoneIsFixed = zone.getRules().isFixedOffset();
        fixedOffset = zoneIsFixed ? zone.getRules().getOffset(Instant.EPOCH).getTotalSeconds() : 0;
    }

    @Override
    void read(byte[] bytes, int from, int to, boolean toUtc) throws BadValueException {
        text = bytes;
        begin = from;
        at = FieldText.skipSpaces(bytes, from, to);
        end = FieldText.trimSpaces(bytes, at, to);
        if (at == end || !FieldText.isDigit(text[at])) {
            word();
            return;
        }
        date();
        long wholeDay = day;
        long micros = time();
        set(wholeDay, micros);
        skipSpaces();
        boolean zoneSeen = at < end && !isEra() && zone(toUtc);
        era();
        if (at != end) {
            throw bad();
        }
        if (toUtc && !zoneSeen) {
            if (zoneIsFixed) {
                microsOfDay -= fixedOffset * MICROS_PER_SECOND;
            } else {
                applyRegion(zone);
            }
        }
    }

    private void word() throws BadValueException {
        switch (FieldText.lower(text, at, end)) {
            case "infinity", "+infinity" -> infinity = 1;
            case "-infinity" -> infinity = -1;
            case "epoch" -> set(0, 0);
            default -> throw bad();
        }
    }

    /** Year, month and day, apart by hyphens or slashes, or eight digits in one. */
    private void date() throws BadValueException {
        int digits = digits(at);
        if (digits == 8) {
            setDate(number(4), number(2), number(2));
            return;
        }
        if (digits < 4 || digits > MAX_YEAR_DIGITS) {
            throw bad();
        }
        long year = number(digits);
        if (at == end || (text[at] != '-' && text[at] != '/')) {
            throw bad();
        }
        byte separator = text[at++];
        int month = upToTwoDigits();
        if (at == end || text[at] != separator) {
            throw bad();
        }
        at++;
        setDate(year, month, upToTwoDigits());
    }

    private void setDate(long year, int month, int dayOfMonth) throws BadValueException {
        boolean beforeChrist = endsWithEra("bc");
        long astronomical = beforeChrist ? 1 - year : year;
        if (year == 0 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > daysInMonth(astronomical, month)) {
            throw FieldText.outOfRange("date or time", text, begin, end);
        }
        day = epochDay(astronomical, month, dayOfMonth);
    }

    /** The time of the day in microseconds; 0 where the text ends with the date. */
    private long time() throws BadValueException {
        int mark = at;
        if (at < end && (text[at] == 'T' || text[at] == 't')) {
            at++;
        } else {
            skipSpaces();
        }
        if (at == end || !FieldText.isDigit(text[at])) {
            if (mark < at && !FieldText.isSpace(text[mark])) {
                throw bad();
            }
            at = mark;
            return 0;
        }
        int digits = digits(at);
        boolean compact = digits == 6 || digits == 4;
        int hour = compact ? number(2) : upToTwoDigits();
        int minute;
        int second = 0;
        boolean secondSeen = digits == 6;
        if (compact) {
            minute = number(2);
            second = secondSeen ? number(2) : 0;
        } else {
            expect(':');
            minute = upToTwoDigits();
            if (at < end && text[at] == ':') {
                at++;
                second = upToTwoDigits();
                secondSeen = true;
            }
        }
        // Behind minutes a fraction is left to be refused: PostgreSQL takes 12:34.5 for minutes and seconds.
        long fraction = secondSeen && at < end && text[at] == '.' ? fraction() : 0;
        boolean endOfDay = hour == 24 && minute == 0 && second == 0 && fraction == 0;
        if ((hour > 23 && !endOfDay) || minute > 59 || second > 60 || (second == 60 && fraction > 0)) {
            throw FieldText.outOfRange("date or time", text, begin, end);
        }
        return ((hour * 60L + minute) * 60 + second) * MICROS_PER_SECOND + fraction;
    }

    /** The digits behind the point in microseconds; more than six are rounded as PostgreSQL does, in double precision. */
    private long fraction() {
        int point = at++;
        int digits = digits(at);
        if (digits > 6) {
            at += digits;
            return (long) Math.rint(Double.parseDouble(FieldText.string(text, point, at)) * MICROS_PER_SECOND);
        }
        long value = 0;
        for (int i = 0; i < 6; i++) {
            value = value * 10 + (i < digits ? text[at + i] - '0' : 0);
        }
        at += digits;
        return value;
    }

    /** Reads an offset or a zone's name and, if wanted, takes it off; false where there is none. */
    private boolean zone(boolean toUtc) throws BadValueException {
        if (text[at] == '+' || text[at] == '-') {
            int offset = offset();
            if (toUtc) {
                microsOfDay -= offset * MICROS_PER_SECOND;
            }
            return true;
        }
        int from = at;
        while (at < end && !FieldText.isSpace(text[at])) {
            at++;
        }
        String name = FieldText.string(text, from, at);
        skipSpaces();
        if (name.equalsIgnoreCase("z") || name.equalsIgnoreCase("utc") || name.equalsIgnoreCase("gmt")) {
            return true;
        }
        if (name.indexOf('/') < 0) {
            throw bad();
        }
        try {
            ZoneId named = ZoneId.of(name);
            if (toUtc) {
                applyRegion(named);
            }
        } catch (DateTimeException e) {
            throw bad();
        }
        return true;
    }

    private int offset() throws BadValueException {
        int sign = text[at++] == '-' ? -1 : 1;
        int digits = digits(at);
        int hours;
        int minutes = 0;
        int seconds = 0;
        if (digits == 3 || digits == 4) {
            hours = number(digits - 2);
            minutes = number(2);
        } else {
            hours = upToTwoDigits();
            if (at < end && text[at] == ':') {
                at++;
                minutes = upToTwoDigits();
            }
            if (at < end && text[at] == ':') {
                at++;
                seconds = upToTwoDigits();
            }
        }
        if (hours > MAX_OFFSET_HOURS || minutes > 59 || seconds > 59) {
            throw FieldText.outOfRange("a time zone's offset", text, begin, end);
        }
        skipSpaces();
        return sign * ((hours * 60 + minutes) * 60 + seconds);
    }

    /**
     * Takes off the offset that a zone had at the local time read. Where clocks were put back the time stands twice, and the later,
     * standard, one is meant; where they were put forward it does not exist, and the offset before counts: both as PostgreSQL does.
     */
    private void applyRegion(ZoneId region) throws BadValueException {
        try {
            long wholeDay = day + Math.floorDiv(microsOfDay, TupleWriter.MICROS_PER_DAY);
            long nanos = Math.floorMod(microsOfDay, TupleWriter.MICROS_PER_DAY) * 1_000;
            LocalDateTime local = LocalDateTime.of(LocalDate.ofEpochDay(wholeDay), LocalTime.ofNanoOfDay(nanos));
            ZonedDateTime zoned = ZonedDateTime.of(local, region).withLaterOffsetAtOverlap();
            long shift = zoned.toLocalDateTime().toEpochSecond(ZoneOffset.UTC) - local.toEpochSecond(ZoneOffset.UTC);
            microsOfDay += (shift - zoned.getOffset().getTotalSeconds()) * MICROS_PER_SECOND;
        } catch (DateTimeException e) {
            throw bad();
        }
    }

    private boolean isEra() {
        return at >= end - 2 && (endsWithEra("bc") || endsWithEra("ad"));
    }

    private void era() {
        if (at < end && isEra()) {
            at = end;
        }
    }

    private boolean endsWithEra(String era) {
        return end - begin > 2
                && (text[end - 2] | 0x20) == era.charAt(0)
                && (text[end - 1] | 0x20) == era.charAt(1)
                && (FieldText.isSpace(text[end - 3]) || FieldText.isDigit(text[end - 3]));
    }

    private void skipSpaces() {
        at = FieldText.skipSpaces(text, at, end);
    }

    private void expect(char c) throws BadValueException {
        if (at == end || text[at] != c) {
            throw bad();
        }
        at++;
    }

    private int digits(int from) {
        int next = from;
        while (next < end && FieldText.isDigit(text[next])) {
            next++;
        }
        return next - from;
    }

    private int upToTwoDigits() throws BadValueException {
        int digits = digits(at);
        if (digits < 1 || digits > 2) {
            throw bad();
        }
        return number(digits);
    }

    private int number(int digits) throws BadValueException {
        if (at + digits > end) {
            throw bad();
        }
        int value = 0;
        for (int i = 0; i < digits; i++) {
            byte digit = text[at++];
            if (!FieldText.isDigit(digit)) {
                throw bad();
            }
            value = value * 10 + (digit - '0');
        }
        return value;
    }

    private BadValueException bad() {
        return new BadValueException(FieldText.quote(text, begin, end)
                + " is no date or time in ISO 8601; source.csv.time-format names other formats");
    }
}
