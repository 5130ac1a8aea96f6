package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * How a figure of a group differs from that of the fastest, and whether that is more than repeats of the same run differ by.
 *
 * @param base of the fastest group
 */
record Difference(ComparedFigure figure, Repeats repeats, Repeats base, boolean isBase) {
    /** What it is worth. */
    enum Verdict {
        /** It is the fastest's own. */
        BASE(""),
        /** Every repeat had more of it than every one of the fastest. */
        MORE("more, beyond the spread"),
        /** Every repeat had less. */
        LESS("less, beyond the spread"),
        WITHIN("within the spread"),
        /** One of the two has no repeats. */
        SINGLE("single runs: no spread is known"),
        /** One of the two did not measure it. */
        UNKNOWN("");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }
    }

    /** All of a group, in the order of their figures. */
    static List<Difference> of(Comparison.Group group, Comparison.Group fastest) {
        return ComparedFigure.ALL.stream()
                .map(figure -> new Difference(
                        figure, repeats(group, figure), repeats(fastest, figure), group.number() == fastest.number()))
                .toList();
    }

    private static Repeats repeats(Comparison.Group group, ComparedFigure figure) {
        return Repeats.of(group.runs().stream().flatMapToDouble(run -> figure.of(run).stream()));
    }

    Verdict verdict() {
        if (repeats.count() == 0 || base.count() == 0) {
            return Verdict.UNKNOWN;
        }
        if (isBase) {
            return Verdict.BASE;
        }
        if (!repeats.isComparable(base)) {
            return Verdict.SINGLE;
        }
        if (base.isBelow(repeats)) {
            return Verdict.MORE;
        }
        return repeats.isBelow(base) ? Verdict.LESS : Verdict.WITHIN;
    }

    /** The median, its ratio, and the verdict: "384 B · × 1.24 · more, beyond the spread". */
    String words() {
        String median = figure.words(repeats.median());
        Verdict verdict = verdict();
        if (verdict == Verdict.BASE || verdict == Verdict.UNKNOWN) {
            return median;
        }
        return median
                + " · "
                + FigureTable.words(repeats.ratio(base), ratio -> "× " + Figures.times(ratio))
                + " · "
                + verdict.words;
    }

    static ArrayNode json(List<Difference> differences) {
        ArrayNode array = new ObjectMapper().createArrayNode();
        for (Difference difference : differences) {
            ObjectNode node = array.addObject();
            node.put("figure", difference.figure().field());
            ArrayNode values = node.putArray("values");
            Arrays.stream(difference.repeats().sorted()).forEach(values::add);
            put(node, "median", difference.repeats().median());
            put(
                    node,
                    "ratio",
                    difference.isBase()
                            ? OptionalDouble.empty()
                            : difference.repeats().ratio(difference.base()));
            put(node, "spread", difference.repeats().spread());
            node.put("verdict", difference.verdict().name().toLowerCase(Locale.ROOT));
        }
        return array;
    }

    /** Not rounded as what is drawn: seconds of a row are small. */
    private static void put(ObjectNode node, String field, OptionalDouble value) {
        if (value.isPresent()) {
            node.put(field, value.getAsDouble());
        } else {
            node.putNull(field);
        }
    }
}
