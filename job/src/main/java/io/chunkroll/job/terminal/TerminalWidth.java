package io.chunkroll.job.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How wide the terminal is: as {@code COLUMNS} says, else as {@code stty} does, asked again from time to time. */
final class TerminalWidth {
    private static final int USUAL = 80;
    private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_MILLIS = 500;
    private static final Pattern SIZE = Pattern.compile("\\d+ (\\d+)\\s*");

    private final OptionalInt told;
    private int columns = USUAL;
    private long nextLook = System.nanoTime();
    private boolean isAsked = true;

    TerminalWidth(Map<String, String> environment) {
        told = columns(environment.getOrDefault("COLUMNS", ""));
    }

    /** One less than it has: a cursor behind the last one is on the next line in some terminals. */
    int columns() {
        if (told.isPresent()) {
            return told.getAsInt() - 1;
        }
        if (isAsked && System.nanoTime() - nextLook >= 0) {
            nextLook = System.nanoTime() + BETWEEN_NANOS;
            ask();
        }
        return columns - 1;
    }

    private void ask() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (stty.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                Matcher size =
                        SIZE.matcher(new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
                columns = size.matches() ? columns(size.group(1)).orElse(USUAL) : USUAL;
            } else {
                stty.destroyForcibly();
            }
        } catch (IOException e) {
            isAsked = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Terminals that do not know say 0. */
    private static OptionalInt columns(String text) {
        return text.matches("[1-9]\\d{0,3}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
    }
}
