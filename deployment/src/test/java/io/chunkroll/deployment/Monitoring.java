package io.chunkroll.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code prometheus/} and {@code grafana/} in a folder like {@code k8s/}. */
record Monitoring(Path root) {
    static final String RULES = "prometheus/rules.yaml";
    static final String FOR_OPERATOR = "prometheus/prometheusrule.yaml";
    static final String DASHBOARD = "grafana/chunkroll.json";
    private static final Path METRICS = Path.of("..", "docs", "metrics.md");
    private static final Pattern DOCUMENTED = Pattern.compile("`(flink_\\w+[a-zA-Z])`");
    private static final String HEAD = """
            # Made of rules.yaml, for the Prometheus operator, by the command in DeploymentTest's comment.
            apiVersion: monitoring.coreos.com/v1
            kind: PrometheusRule
            metadata:
              name: chunkroll
            spec:
            """;

    String rules() {
        return Overlays.read(root.resolve(RULES));
    }

    String dashboard() {
        return Overlays.read(root.resolve(DASHBOARD));
    }

    /** The same rules as the Prometheus operator wants them. */
    String rulesForOperator() {
        return HEAD
                + rules().lines()
                        .map(line -> line.isEmpty() ? "\n" : "  " + line + "\n")
                        .collect(Collectors.joining());
    }

    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (!Overlays.read(root.resolve(FOR_OPERATOR)).equals(rulesForOperator())) {
            faults.add(FOR_OPERATOR + ": is not made of " + RULES + " as it is");
        }
        Set<String> known = new TreeSet<>(documented());
        Map<String, String> expressions = new LinkedHashMap<>();
        for (JsonNode group : Manifest.parse(RULES, rules()).get(0).tree().path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                String name = rule.path("record").asText(rule.path("alert").asText());
                expressions.put(name, rule.path("expr").asText());
                if (rule.has("record")) {
                    known.add(name);
                } else {
                    checkAlert(rule, faults);
                }
            }
        }
        expressions.forEach((name, expression) -> PromQl.metrics(expression).stream()
                .filter(metric -> !known.contains(metric))
                .forEach(metric -> faults.add(RULES + ": " + name + ": docs/metrics.md has no " + metric)));
        DashboardCheck.faults(dashboard(), known).forEach(fault -> faults.add(DASHBOARD + ": " + fault));
        return faults;
    }

    private static void checkAlert(JsonNode rule, List<String> faults) {
        String name = rule.path("alert").asText();
        for (String text : List.of("/labels/severity", "/annotations/summary", "/annotations/description")) {
            if (rule.at(text).asText().isEmpty()) {
                faults.add(RULES + ": " + name + " has no " + text.substring(text.lastIndexOf('/') + 1));
            }
        }
        if (!Overlays.read(METRICS).contains("`" + name + "`")) {
            faults.add(RULES + ": docs/metrics.md does not tell of the alert " + name);
        }
    }

    /** The metrics that docs/metrics.md has, by their names in Prometheus. */
    static Set<String> documented() {
        return DOCUMENTED
                .matcher(Overlays.read(METRICS))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
