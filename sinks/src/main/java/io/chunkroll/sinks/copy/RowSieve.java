package io.chunkroll.sinks.copy;

/**
 * Decides which stretch of a batch's rows is tried next, so that in the end every row is either loaded or refused by itself.
 *
 * <p>It goes from the first row to the last. After a failure it closes in on the guilty row: the server's hint leaves the rows before it,
 * then that row alone; without a hint the stretch is halved. Behind a guilty row it tries twice as many rows as came well before it, and
 * twice as many each time that goes well: few bad rows cost a few attempts, and where all are bad each is tried once.
 */
final class RowSieve {
    private final int end;
    private int at;
    private int step;
    /** Where the stretch ends that is known to hold a guilty row. */
    private int suspectsEnd;

    private boolean hinted;
    private int lastGuilty;

    /** For the rows from the first up to {@code end}, which are tried all at once to begin with. */
    RowSieve(int end) {
        this.end = end;
        step = end;
        lastGuilty = 0;
    }

    boolean isDone() {
        return at >= end;
    }

    /** The first row of the next attempt. */
    int from() {
        return at;
    }

    /** The row behind the last one of the next attempt. */
    int to() {
        return at + Math.min(step, end - at);
    }

    /** Whether a failure of the next attempt shows its only row to be guilty. */
    boolean isSingle() {
        return to() - at == 1;
    }

    /** The attempt went well. */
    void loaded() {
        at = to();
        chooseStep(2L * step);
    }

    /** The attempt's only row was refused. */
    void refused() {
        at = to();
        chooseStep(2L * (at - 1 - lastGuilty));
        lastGuilty = at;
    }

    /**
     * The attempt failed for one of its rows.
     *
     * @param line which of them it is as the server says, counted from 1, or anything else if it does not
     */
    void failed(int line) {
        hinted = line >= 1 && line <= to() - at;
        suspectsEnd = hinted ? at + line : to();
        chooseStep(0);
    }

    private void chooseStep(long otherwise) {
        int suspects = suspectsEnd - at;
        long wanted = suspects <= 0 ? otherwise : hinted ? suspects - 1 : suspects / 2;
        step = (int) Math.max(1, Math.min(wanted, end));
    }
}
