package io.chunkroll.faults.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be found after a load.
 *
 * @param rows in the table
 * @param lost rows of the reference that the table does not have
 * @param doubled rows that the table has more than once, each further time counted
 * @param strange rows that the reference does not have
 * @param rejectsLost bad rows that stand in no reject file
 * @param rejectsDoubled reject lines beyond the first of each bad row
 * @param leftovers prepared transactions, connections, tables and files that ought to be gone
 */
record Verdict(
        long rows,
        long lost,
        long doubled,
        long strange,
        long rejectsLost,
        long rejectsDoubled,
        List<String> leftovers) {

    /** What breaks this promise; empty if it was kept. */
    List<String> faults(Guarantee guarantee) {
        List<String> faults = new ArrayList<>();
        add(faults, lost, "rows lost");
        add(faults, strange, "rows that were never sent");
        add(faults, rejectsLost, "rejects lost");
        if (guarantee == Guarantee.EXACTLY_ONCE) {
            add(faults, doubled, "rows doubled");
            add(faults, rejectsDoubled, "rejects doubled");
        }
        leftovers.forEach(left -> faults.add("left: " + left));
        return faults;
    }

    private static void add(List<String> faults, long count, String what) {
        if (count > 0) {
            faults.add(count + " " + what);
        }
    }
}
