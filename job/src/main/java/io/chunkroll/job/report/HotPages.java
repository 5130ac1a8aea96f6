package io.chunkroll.job.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What decides whether a sawtooth shows: an index that begins with the device keeps one page hot for each device, and these pages fit
 * the server's buffers or do not.
 *
 * @param devices how many devices send rows
 * @param indexes how many of the table's indexes begin with the device; one where the run does not tell
 * @param bufferBytes the server's shared buffers
 */
record HotPages(long devices, long indexes, double bufferBytes) {
    static final int PAGE_BYTES = 8192;
    /** An index by one of these columns of the generated data sets, as PostgreSQL describes it. */
    private static final Pattern BY_DEVICE = Pattern.compile(".* USING \\w+ \\((hostname|tags_id|tag_id)\\b.*");

    private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*(B|kB|MB|GB|TB)?");

    /** As far as the run tells both. */
    static Optional<HotPages> of(RunSummary summary) {
        OptionalDouble devices = number(summary.setting("source.devices"));
        OptionalDouble buffers = bufferBytes(summary);
        return devices.isPresent() && buffers.isPresent()
                ? Optional.of(new HotPages((long) devices.getAsDouble(), indexes(summary), buffers.getAsDouble()))
                : Optional.empty();
    }

    double bytes() {
        return (double) devices * indexes * PAGE_BYTES;
    }

    boolean fit() {
        return bytes() <= bufferBytes;
    }

    private static long indexes(RunSummary summary) {
        List<String> all = summary.list("table.indexes");
        return all.isEmpty()
                ? 1
                : all.stream()
                        .filter(index -> BY_DEVICE.matcher(index).matches())
                        .count();
    }

    private static OptionalDouble bufferBytes(RunSummary summary) {
        Optional<String> found = summary.environment().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("shared_buffers"))
                .map(Map.Entry::getValue)
                .findFirst();
        return found.or(() -> summary.setting("server.shared_buffers"))
                .map(HotPages::size)
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble number(Optional<String> text) {
        return text.filter(value -> value.matches("\\d{1,18}"))
                .map(value -> OptionalDouble.of(Double.parseDouble(value)))
                .orElse(OptionalDouble.empty());
    }

    /** PostgreSQL's notation: a number with a unit, or of pages. */
    private static OptionalDouble size(String text) {
        Matcher matcher = SIZE.matcher(text.trim());
        if (!matcher.matches()) {
            return OptionalDouble.empty();
        }
        String unit = matcher.group(2) == null ? "pages" : matcher.group(2);
        double factor =
                switch (unit) {
                    case "B" -> 1;
                    case "kB" -> 1 << 10;
                    case "MB" -> 1 << 20;
                    case "GB" -> 1 << 30;
                    case "TB" -> 1L << 40;
                    default -> PAGE_BYTES;
                };
        return OptionalDouble.of(Double.parseDouble(matcher.group(1)) * factor);
    }
}
