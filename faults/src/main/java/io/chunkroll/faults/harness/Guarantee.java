package io.chunkroll.faults.harness;

import java.util.List;
import java.util.Locale;

/** What a load promises, and so what a round may find. */
public enum Guarantee {
    AT_LEAST_ONCE,
    EXACTLY_ONCE;

    /** Its name in settings. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads {@code exactly-once}, {@code at-least-once} or {@code both}. */
    public static List<Guarantee> parse(String text) {
        if (text.equals("both")) {
            return List.of(values());
        }
        return List.of(valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')));
    }
}
