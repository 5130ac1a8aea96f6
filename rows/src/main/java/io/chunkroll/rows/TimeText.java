package io.chunkroll.rows;

import java.time.ZoneId;

/**
 * A text that names a date or a point in time, read. {@link #read} leaves the result in this object: days since 1970-01-01 and
 * microseconds of that day, or an infinity.
 */
abstract class TimeText {
    static final long MICROS_PER_SECOND = 1_000_000;
    private static final long POSTGRES_EPOCH_DAY = 10_957;
    // From PostgreSQL's timestamp.h: both ranges begin on 4714-11-24 BC and end before the first day of these years.
    private static final long FIRST_DAY = epochDay(-4713, 11, 24);
    private static final long END_OF_TIMESTAMPS = epochDay(294_277, 1, 1);
    private static final long END_OF_DATES = epochDay(5_874_898, 1, 1);

    long day;
    long microsOfDay;
    /** 1 or -1 for the infinities, else 0. */
    int infinity;

    static TimeText of(ParseOptions options) {
        ZoneId zone = options.zone();
        return switch (options.timeFormat()) {
            case "auto" -> new IsoTimeText(zone);
            case "epoch-s" -> new EpochTimeText(MICROS_PER_SECOND, 0);
            case "epoch-ms" -> new EpochTimeText(1_000, 0);
            case "epoch-us" -> new EpochTimeText(1, 0);
            case "epoch-ns" -> new EpochTimeText(1, 3);
            default -> new PatternTimeText(options.timeFormat(), zone);
        };
    }

    /**
     * Reads {@code text[from..to)}.
     *
     * @param toUtc whether the result is a point in time, so that the text's offset or zone counts, or else what a clock on the wall
     *     shows, so that they are ignored
     */
    abstract void read(byte[] text, int from, int to, boolean toUtc) throws BadValueException;

    /** The result in microseconds since 2000-01-01, PostgreSQL's own count. */
    final long postgresMicros(byte[] text, int from, int to) throws BadValueException {
        if (infinity != 0) {
            return infinity > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
        long wholeDay = day + Math.floorDiv(microsOfDay, TupleWriter.MICROS_PER_DAY);
        if (wholeDay < FIRST_DAY || wholeDay >= END_OF_TIMESTAMPS) {
            throw FieldText.outOfRange("timestamp", text, from, to);
        }
        return (day - POSTGRES_EPOCH_DAY) * TupleWriter.MICROS_PER_DAY + microsOfDay;
    }

    /** The result in days since 2000-01-01; the time of the day is dropped. */
    final int postgresDays(byte[] text, int from, int to) throws BadValueException {
        if (infinity != 0) {
            return infinity > 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE;
        }
        if (day < FIRST_DAY || day >= END_OF_DATES) {
            throw FieldText.outOfRange("date", text, from, to);
        }
        return (int) (day - POSTGRES_EPOCH_DAY);
    }

    final void set(long wholeDay, long micros) {
        day = wholeDay;
        microsOfDay = micros;
        infinity = 0;
    }

    /** Days since 1970-01-01 in the proleptic Gregorian calendar; the year before 1 is 0. */
    static long epochDay(long year, int month, int dayOfMonth) {
        long shifted = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(shifted, 400);
        long yearOfEra = shifted - era * 400;
        long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + dayOfMonth - 1;
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468;
    }

    static int daysInMonth(long year, int month) {
        if (month == 2) {
            return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
        }
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    }
}
