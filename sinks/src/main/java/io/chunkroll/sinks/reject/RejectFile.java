package io.chunkroll.sinks.reject;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file of rejects. It tells which writer of which load wrote it and between which checkpoints; once it is published, also
 * how many rows it holds. Read from its end, where there are no hyphens but those between the parts.
 *
 * @param load the load's name
 * @param subtask the writer's number
 * @param checkpoint a number larger than every checkpoint before the rows in it, and not larger than the one after them
 * @param nonce keeps apart what is named alike otherwise
 */
record RejectFile(String load, int subtask, long checkpoint, String nonce) {
    private static final Pattern HIDDEN = Pattern.compile("\\.rejects-(.+)-(\\d+)-(\\d+)-([0-9a-f]+)");
    private static final Pattern PUBLISHED = Pattern.compile("rejects-(.+)-\\d+-\\d+-[0-9a-f]+-(\\d+)\\.jsonl");

    /** A name that was never used before. */
    static RejectFile next(String load, int subtask, long checkpoint) {
        return new RejectFile(
                load, subtask, checkpoint, UUID.randomUUID().toString().substring(0, 8));
    }

    /** Reads the name of a load's file that is not published; empty for any other file. */
    static Optional<RejectFile> parse(String hidden, String load) {
        Matcher matcher = HIDDEN.matcher(hidden);
        return matcher.matches() && matcher.group(1).equals(load)
                ? Optional.of(new RejectFile(
                        load, Integer.parseInt(matcher.group(2)), Long.parseLong(matcher.group(3)), matcher.group(4)))
                : Optional.empty();
    }

    /** How many rows a file of this name holds, 0 if it is none that the load published. */
    static long rowsOf(String published, String load) {
        Matcher matcher = PUBLISHED.matcher(published);
        return matcher.matches() && matcher.group(1).equals(load) ? Long.parseLong(matcher.group(2)) : 0;
    }

    /** Whether its rows come again when the job goes on from this checkpoint, or from none. */
    boolean isAfter(OptionalLong restoredCheckpoint) {
        return restoredCheckpoint.isEmpty() || checkpoint > restoredCheckpoint.getAsLong();
    }

    String hidden() {
        return ".rejects-" + load + "-" + subtask + "-" + checkpoint + "-" + nonce;
    }

    /** What a hidden file is called once it is visible. */
    static String published(String hidden, long rows) {
        return hidden.substring(1) + "-" + rows + ".jsonl";
    }
}
