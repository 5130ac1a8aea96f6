package io.chunkroll.sinks.transaction;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a prepared transaction, {@code chunkroll:<prefix>:<subtask>:<checkpoint>:<nonce>}: a job that comes back, under another
 * job id and with another parallelism, tells by it which are its own and which of them its checkpoint answers for.
 *
 * @param prefix the user's name for the load, the same over restarts and resubmissions
 * @param subtask the writer's number
 * @param checkpoint a number larger than every checkpoint before that of the transaction, and not larger than its own
 * @param nonce keeps apart what is named alike otherwise: a checkpoint that is tried again, a writer that should be dead
 */
public record TransactionId(String prefix, int subtask, long checkpoint, String nonce) {
    /** What all names begin with. */
    static final String BEGIN = "chunkroll:";

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.-]{1,100}");
    private static final Pattern FORM =
            Pattern.compile(BEGIN + "([A-Za-z0-9_.-]{1,100}):(\\d{1,9}):(\\d{1,18}):([0-9a-f]+)");
    private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9_.-]");
    private static final int LONGEST = 80;

    public TransactionId {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "A transaction prefix has up to 100 letters, digits, underscores, dots and hyphens, not '" + prefix
                            + "'");
        }
    }

    /** A name that was never used before. */
    public static TransactionId next(String prefix, int subtask, long checkpoint) {
        String nonce = UUID.randomUUID().toString().substring(0, 8);
        return new TransactionId(prefix, subtask, checkpoint, nonce);
    }

    /** Reads a name; empty for one that somebody else gave. */
    public static Optional<TransactionId> parse(String gid) {
        Matcher matcher = FORM.matcher(gid);
        return matcher.matches()
                ? Optional.of(new TransactionId(
                        matcher.group(1),
                        Integer.parseInt(matcher.group(2)),
                        Long.parseLong(matcher.group(3)),
                        matcher.group(4)))
                : Optional.empty();
    }

    /** A prefix made of any text, such as a table's name; texts that are different have different ones. */
    public static String prefixOf(String text) {
        if (PREFIX.matcher(text).matches()) {
            return text;
        }
        String plain = OTHER.matcher(text).replaceAll("_");
        return plain.substring(0, Math.min(plain.length(), LONGEST)) + String.format("-%08x", text.hashCode());
    }

    /** Whether the text can be a prefix. */
    public static boolean isPrefix(String text) {
        return PREFIX.matcher(text).matches();
    }

    /** Whether the transaction belongs to no checkpoint up to the restored one: its rows come again. */
    public boolean isAfter(OptionalLong restoredCheckpoint) {
        return restoredCheckpoint.isEmpty() || checkpoint > restoredCheckpoint.getAsLong();
    }

    /** The name as the server knows it. */
    public String gid() {
        return BEGIN + prefix + ':' + subtask + ':' + checkpoint + ':' + nonce;
    }

    @Override
    public String toString() {
        return gid();
    }
}
