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
     * @param rates rows a second of those that wrote any, in the order of size
     */
    record Group(int number, String name, List<MeasuredRun> runs, double[] rates) {
        OptionalDouble median() {
            return Statistics.median(rates);
        }

        double slowest() {
            return rates[0];
        }

        double fastest() {
            return rates[rates.length - 1];
        }

        /** Largest less smallest, as a share of the median; empty for fewer than two. */
        OptionalDouble spread() {
            return rates.length < 2 || median().getAsDouble() <= 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of((fastest() - slowest()) / median().getAsDouble());
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

    private static double[] rates(List<MeasuredRun> runs) {
        return runs.stream()
                .flatMapToDouble(run -> run.meanRate().stream())
                .filter(rate -> rate > 0)
                .sorted()
                .toArray();
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
        OptionalDouble best = ranked().get(0).median();
        return best.isPresent() && group.median().isPresent()
                ? OptionalDouble.of(group.median().getAsDouble() / best.getAsDouble())
                : OptionalDouble.empty();
    }

    Verdict verdict(Group group) {
        Group best = ranked().get(0);
        if (group.number() == best.number()) {
            return Verdict.FASTEST;
        }
        if (group.rates().length < 2 || best.rates().length < 2) {
            return Verdict.SINGLE;
        }
        return group.fastest() < best.slowest() ? Verdict.BEYOND : Verdict.WITHIN;
    }

    ArrayNode json() {
        ArrayNode array = new ObjectMapper().createArrayNode();
        for (Group group : ranked()) {
            ObjectNode node = array.addObject();
            node.put("name", group.name());
            node.put("group", group.number());
            ArrayNode rates = node.putArray("rows_per_second");
            Arrays.stream(group.rates()).forEach(rate -> rates.add(Math.rint(rate)));
            node.set("median", PageData.number(group.median()));
            node.set("ratio", PageData.number(ratio(group)));
            node.set("spread", PageData.number(group.spread()));
            node.put("verdict", verdict(group).name().toLowerCase(java.util.Locale.ROOT));
        }
        return array;
    }
}
