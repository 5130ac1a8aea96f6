package io.chunkroll.rows;

import java.io.Serializable;
import java.time.ZoneId;

/**
 * How texts are understood where the text alone does not say.
 *
 * @param zone the zone of a {@code timestamptz} without an offset
 * @param timeFormat {@code auto} (ISO 8601 as PostgreSQL reads and writes it), {@code epoch-s}, {@code epoch-ms}, {@code epoch-us},
 *     {@code epoch-ns}, or a pattern of {@link java.time.format.DateTimeFormatter}
 */
public record ParseOptions(ZoneId zone, String timeFormat) implements Serializable {
    /** ISO 8601; UTC where a text names no offset. */
    public static final ParseOptions DEFAULT = new ParseOptions(ZoneId.of("UTC"), "auto");
}
