package io.chunkroll.deployment;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** As much of Prometheus' language as tells which metrics an expression names. Whether it is one at all, promtool says. */
final class PromQl {
    /** What holds names that are none of metrics: texts, selectors, ranges, lists of labels. */
    private static final List<Pattern> ELSEWHERE = List.of(
            Pattern.compile("\"[^\"]*\""),
            Pattern.compile("\\{[^}]*}"),
            Pattern.compile("\\[[^]]*]"),
            Pattern.compile("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)"));

    private static final Pattern NAME = Pattern.compile("(?<![\\w.:])[a-zA-Z_:][\\w:]*(?!\\s*\\()(?![\\w:])");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    private PromQl() {}

    static Set<String> metrics(String expression) {
        String rest = expression;
        for (Pattern elsewhere : ELSEWHERE) {
            rest = elsewhere.matcher(rest).replaceAll(" ");
        }
        return NAME.matcher(rest)
                .results()
                .map(found -> found.group())
                .filter(name -> !WORDS.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
