package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Who was faster, by how much, and whether that is more than repeats of the same run differ by. Runs of one name are repeats.
 *
 * @param groups in the order in which they came
 */
record Comparison(List<Group> groups) {
    /**
     * Runs of one name.
     *
     * @param number from 0, which decides the colour
     * @param rates rows a second of those that wrote any
     */
    record Group(int number, String name, List<MeasuredRun> runs, Repeats rates) {
        OptionalDouble median() {
            return rates.median();
        }

        /** Largest less smallest, as a share of the median; empty for fewer than two. */
        OptionalDouble spread() {
            return rates.spread();
        }
    }

    /** What a difference between two groups is worth. */
    enum Verdict {
        FASTEST("the fastest"),
        BEYOND("slower, beyond the spread of the repeats"),
        WITHIN("within the spread: no difference is proven"),
        SINGLE("single runs: no spread is known");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    static Comparison of(List<MeasuredRun> runs) {
        Map<String, List<MeasuredRun>> byName = new LinkedHashMap<>();
        for (MeasuredRun run : runs) {
            byName.computeIfAbsent(run.summary().name(), name -> new java.util.ArrayList<>())
                    .add(run);
        }
        int[] number = {0};
        return new Comparison(byName.entrySet().stream()
                .map(entry -> new Group(number[0]++, entry.getKey(), entry.getValue(), rates(entry.getValue())))
                .toList());
    }

    private static Repeats rates(List<MeasuredRun> runs) {
        return Repeats.of(
                runs.stream().flatMapToDouble(run -> run.meanRate().stream()).filter(rate -> rate > 0));
    }

    /** Fastest first; those that wrote nothing last. */
    List<Group> ranked() {
        return groups.stream()
                .sorted(Comparator.comparingDouble(
                                (Group group) -> group.median().orElse(0))
                        .reversed())
                .toList();
    }

    /** The median as a share of the fastest's. */
    OptionalDouble ratio(Group group) {
        return group.rates().ratio(fastest().rates());
    }

    Group fastest() {
        return ranked().get(0);
    }

    /** What else differs from the fastest. */
    List<Difference> differences(Group group) {
        return Difference.of(group, fastest());
    }

    Verdict verdict(Group group) {
        Group best = fastest();
        if (group.number() == best.number()) {
            return Verdict.FASTEST;
        }
        if (!group.rates().isComparable(best.rates())) {
            return Verdict.SINGLE;
        }
        return group.rates().isBelow(best.rates()) ? Verdict.BEYOND : Verdict.WITHIN;
    }

    ArrayNode json() {
        ArrayNode array = new ObjectMapper().createArrayNode();
        for (Group group : ranked()) {
            ObjectNode node = array.addObject();
            node.put("name", group.name());
            node.put("group", group.number());
            ArrayNode rates = node.putArray("rows_per_second");
            Arrays.stream(group.rates().sorted()).forEach(rate -> rates.add(Math.rint(rate)));
            node.set("median", PageData.number(group.median()));
            node.set("ratio", PageData.number(ratio(group)));
            node.set("spread", PageData.number(group.spread()));
            node.put("verdict", verdict(group).name().toLowerCase(java.util.Locale.ROOT));
            node.set("figures", Difference.json(differences(group)));
        }
        return array;
    }
}
