package io.chunkroll.sinks.reject;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file of rejects. It tells which writer wrote it and between which checkpoints; once it is published, also how many rows it
 * holds.
 *
 * @param subtask the writer's number
 * @param checkpoint a number larger than every checkpoint before the rows in it, and not larger than the one after them
 * @param nonce keeps apart what is named alike otherwise
 */
record RejectFile(int subtask, long checkpoint, String nonce) {
    private static final Pattern HIDDEN = Pattern.compile("\\.rejects-(\\d+)-(\\d+)-([0-9a-f]+)");
    private static final Pattern PUBLISHED = Pattern.compile("rejects-\\d+-\\d+-[0-9a-f]+-(\\d+)\\.jsonl");

    /** A name that was never used before. */
    static RejectFile next(int subtask, long checkpoint) {
        return new RejectFile(subtask, checkpoint, UUID.randomUUID().toString().substring(0, 8));
    }

    /** Reads the name of a file that is not published; empty for any other file. */
    static Optional<RejectFile> parse(String hidden) {
        Matcher matcher = HIDDEN.matcher(hidden);
        return matcher.matches()
                ? Optional.of(new RejectFile(
                        Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.group(3)))
                : Optional.empty();
    }

    /** How many rows a file of this name holds, 0 if it is none that was published. */
    static long rowsOf(String published) {
        Matcher matcher = PUBLISHED.matcher(published);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Whether its rows come again when the job goes on from this checkpoint, or from none. */
    boolean isAfter(OptionalLong restoredCheckpoint) {
        return restoredCheckpoint.isEmpty() || checkpoint > restoredCheckpoint.getAsLong();
    }

    String hidden() {
        return ".rejects-" + subtask + "-" + checkpoint + "-" + nonce;
    }

    String published(long rows) {
        return hidden().substring(1) + "-" + rows + ".jsonl";
    }
}
