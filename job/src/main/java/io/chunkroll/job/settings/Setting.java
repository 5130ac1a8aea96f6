package io.chunkroll.job.settings;

import static java.util.stream.Collectors.joining;

import java.net.InetSocketAddress;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.fs.Path;
import org.apache.flink.util.TimeUtils;

/**
 * One thing that can be set.
 *
 * @param key its name, the same everywhere
 * @param defaultText its value where nothing is said, or empty where that is no value at all
 * @param values what can be said, for the help text
 * @param description what it means, with the unit
 * @param parser reads its text
 */
public record Setting<T>(
        String key, Optional<String> defaultText, String values, String description, Parser<T> parser) {

    /** Reads a value's text, or throws an {@link IllegalArgumentException} that says what is wrong, as a clause. */
    @FunctionalInterface
    public interface Parser<T> {
        T parse(String text);
    }

    static <T> Setting<T> of(String key, String defaultText, String values, String description, Parser<T> parser) {
        return new Setting<>(key, Optional.of(defaultText), values, description, parser);
    }

    static <T> Setting<T> withoutDefault(String key, String values, String description, Parser<T> parser) {
        return new Setting<>(key, Optional.empty(), values, description, parser);
    }

    /**
     * One of an enum's values, spelled in lower case with hyphens.
     *
     * @param planned values that this version knows of but cannot do yet
     */
    static <E extends Enum<E>> Parser<E> oneOf(Class<E> type, String... planned) {
        return text -> {
            if (List.of(planned).contains(text)) {
                throw new IllegalArgumentException("is not in this version yet; it can be " + spelled(type));
            }
            return Stream.of(type.getEnumConstants())
                    .filter(value -> spelling(value).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("is none of " + spelled(type)));
        };
    }

    static <E extends Enum<E>> String spelled(Class<E> type) {
        return Stream.of(type.getEnumConstants()).map(Setting::spelling).collect(joining(", "));
    }

    static String spelling(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A whole number of at least {@code least}; underscores may group its digits. */
    static Parser<Long> wholeNumber(long least, long most) {
        return text -> {
            long value;
            try {
                value = Long.parseLong(text.replace("_", ""));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("is no whole number");
            }
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        most == Long.MAX_VALUE
                                ? "must be at least " + least
                                : "must be between " + least + " and " + most);
            }
            return value;
        };
    }

    /** A part of the whole, from 0 to 1. */
    static double share(String text) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is no share such as 0.1");
        }
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("must be between 0 and 1");
        }
        return value;
    }

    /** Bytes with a unit: {@code 16 MiB}, {@code 32MB}; 1 MB is 1024 kB, as PostgreSQL has it. */
    static long bytes(String text) {
        try {
            String flink = text.replaceAll("(?i)([kmgt])i?b\\s*$", "$1b");
            long value = MemorySize.parse(flink).getBytes();
            if (value < 1) {
                throw new IllegalArgumentException("must be more than nothing");
            }
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is no size such as 16 MB");
        }
    }

    /** A time span with a unit: {@code 500 ms}, {@code 10 s}, {@code 12 h}, {@code 7 d}. */
    static Duration duration(String text) {
        Duration value = durationOrNone(text);
        if (value.isZero()) {
            throw new IllegalArgumentException("must be more than nothing");
        }
        return value;
    }

    /** Likewise, but it may be {@code 0 s}. */
    static Duration durationOrNone(String text) {
        try {
            Duration value = TimeUtils.parseDuration(text);
            if (value.isNegative()) {
                throw new IllegalArgumentException("must not be less than nothing");
            }
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("is no time span such as 10 s");
        }
    }

    /** Any text but an empty one. */
    static String text(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("is empty");
        }
        return text;
    }

    /** A folder of any file system that Flink may know. */
    static String folder(String text) {
        try {
            Path unused = new Path(text(text));
            return text;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is no path and no URI: " + e.getMessage());
        }
    }

    /** One character, or the word {@code tab}. */
    static char character(String text) {
        if (text.equals("tab") || text.equals("\\t")) {
            return '\t';
        }
        if (text.length() != 1) {
            throw new IllegalArgumentException("is not a single character");
        }
        return text.charAt(0);
    }

    static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("is no time such as 2016-01-01T00:00:00Z");
        }
    }

    static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("is no time zone such as Europe/Berlin");
        }
    }

    static String timeFormat(String text) {
        if (!List.of("auto", "epoch-s", "epoch-ms", "epoch-us", "epoch-ns").contains(text)) {
            try {
                DateTimeFormatter unused = DateTimeFormatter.ofPattern(text, Locale.ENGLISH);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("is no pattern of DateTimeFormatter: " + e.getMessage());
            }
        }
        return text;
    }

    /** Texts apart by commas; none in an empty text. */
    static List<String> list(String text) {
        return text.isEmpty()
                ? List.of()
                : Stream.of(text.split(",", -1)).map(String::strip).toList();
    }

    /** Where a page is served: a port, of this machine alone, or {@code HOST:PORT}; not looked up yet. */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "localhost" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.isEmpty() || host.contains(":")) {
            throw new IllegalArgumentException("is no port and no HOST:PORT such as 0.0.0.0:8099 or [::]:8099");
        }
        try {
            return InetSocketAddress.createUnresolved(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("has no port from 0 to 65535, such as 8099; 0 is any free one");
        }
    }

    static String jdbcUrl(String text) {
        if (!text.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("does not begin with jdbc:postgresql:");
        }
        if (text.matches("jdbc:postgresql://[^/?]*@.*")) {
            throw new IllegalArgumentException(
                    "has a user or password before an @, which the driver does not take: give sink.user, and the password"
                            + " as CHUNKROLL_PASSWORD or in .pgpass");
        }
        return text;
    }

    static boolean yesOrNo(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }
}
