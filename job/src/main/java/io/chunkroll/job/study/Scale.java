package io.chunkroll.job.study;

import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Setting;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a study smaller or larger: all numbers of rows times a factor.
 *
 * <p>A fleet whose devices would be left with fewer than {@value #FEWEST_STEPS} rows each becomes smaller too, so that chunks still roll
 * while it is loaded. Chunk intervals follow where the study says how many chunks there are.
 *
 * @param factor more than 0
 */
record Scale(double factor, List<String> faults, Set<String> notes) {
    private static final int FEWEST_STEPS = 12;
    private static final long LEAST_WATCH_MILLIS = 5_000;

    Scale(double factor, List<String> faults) {
        this(factor, faults, new LinkedHashSet<>());
    }

    /** @param where the place in the file, for a fault */
    long rows(String where, String text) {
        if (!text.matches("[1-9][0-9_]{0,17}")) {
            faults.add(where + ": must be a whole number of at least 1, not '" + text + "'");
            return 1;
        }
        return Math.max(1, Math.round(Long.parseLong(text.replace("_", "")) * factor));
    }

    /** Scales what settings of generated rows, or of an input file, say. */
    void apply(String where, Map<String, String> texts) {
        String given = textOf(AllSettings.ROWS, texts);
        long rows = rows(where + Study.ROWS, given);
        texts.put(Study.ROWS, Long.toString(rows));
        Optional<Long> devices = whole(texts.getOrDefault(AllSettings.DEVICES.key(), ""));
        if (devices.isPresent() && factor < 1) {
            long unscaled = Long.parseLong(given.replace("_", ""));
            double steps = Math.min(FEWEST_STEPS, (double) unscaled / devices.get());
            long most = Math.max(1, (long) (rows / steps));
            if (most < devices.get()) {
                texts.put(AllSettings.DEVICES.key(), Long.toString(most));
                notes.add(String.format(
                        "Scaled: %,d devices instead of %,d, lest a device have too few rows.", most, devices.get()));
            }
        }
    }

    /** Of a smaller load the server is watched for a shorter time afterwards, at least 5 s. */
    void watch(Map<String, String> texts) {
        String key = AllSettings.WATCH_AFTER.key();
        if (factor < 1 && texts.containsKey(key)) {
            Duration whole = span(AllSettings.WATCH_AFTER, texts.get(key));
            Duration scaled = Duration.ofMillis(Math.max(LEAST_WATCH_MILLIS, (long) (whole.toMillis() * factor)));
            if (scaled.compareTo(whole) < 0) {
                texts.put(key, scaled.toMillis() + " ms");
                notes.add("Scaled: the server is watched for at most " + scaled.toMillis() / 1e3
                        + " s after a load, not " + whole.toSeconds() + " s.");
            }
        }
    }

    /** Sets the interval by which the rows of a fleet fill so many chunks. */
    void chunks(int chunks, Map<String, String> fleet, Map<String, String> texts) {
        Optional<Long> rows = whole(textOf(AllSettings.ROWS, fleet));
        Optional<Long> devices = whole(fleet.getOrDefault(AllSettings.DEVICES.key(), ""));
        if (rows.isEmpty() || devices.isEmpty() || !fleet.containsKey(AllSettings.INTERVAL.key())) {
            faults.add("chunks: needs source.rows, source.devices and source.interval to tell the interval of a chunk");
            return;
        }
        Duration step = span(AllSettings.INTERVAL, fleet.get(AllSettings.INTERVAL.key()));
        long steps = Math.max(chunks, ceiling(rows.get(), devices.get()));
        Duration span = step.multipliedBy(ceiling(steps, chunks));
        BigDecimal seconds = BigDecimal.valueOf(span.getSeconds()).add(BigDecimal.valueOf(span.getNano(), 9));
        texts.put(
                AllSettings.CHUNK_INTERVAL.key(),
                seconds.stripTrailingZeros().scale() <= 0 ? span.toSeconds() + " s" : span.toNanos() / 1_000 + " us");
    }

    private static long ceiling(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }

    /** A wrong one is told where the settings are checked. */
    private static Duration span(Setting<Duration> setting, String text) {
        try {
            return setting.parser().parse(text);
        } catch (IllegalArgumentException e) {
            return Duration.ofSeconds(1);
        }
    }

    private static Optional<Long> whole(String text) {
        return text.matches("[1-9][0-9_]{0,17}")
                ? Optional.of(Long.parseLong(text.replace("_", "")))
                : Optional.empty();
    }

    private static String textOf(Setting<?> setting, Map<String, String> texts) {
        return texts.getOrDefault(setting.key(), setting.defaultText().orElseThrow());
    }
}
