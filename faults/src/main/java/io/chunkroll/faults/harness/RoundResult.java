package io.chunkroll.faults.harness;

import java.util.List;
import java.util.Optional;

/**
 * One load with its faults.
 *
 * @param verdict empty if the load did not come to its end
 * @param complaints what was promised and not kept
 */
record RoundResult(
        int number, LoadPlan plan, List<Strike> strikes, Optional<Verdict> verdict, List<String> complaints) {}
