package io.chunkroll.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A dashboard of Grafana's, as far as it can be looked at without Grafana. */
final class DashboardCheck {
    /** That of Grafana 10.0. */
    private static final int SCHEMA = 38;

    private static final int WIDTH = 24;
    private static final String DATA_SOURCE = "${datasource}";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)}?");
    private static final Set<String> GRAFANAS = Set.of("__rate_interval", "__range", "__interval");

    private final JsonNode dashboard;
    private final Set<String> known;
    private final List<String> faults = new ArrayList<>();

    private DashboardCheck(JsonNode dashboard, Set<String> known) {
        this.dashboard = dashboard;
        this.known = known;
    }

    /** @param known the metrics that there are */
    static List<String> faults(String json, Set<String> known) {
        try {
            DashboardCheck check = new DashboardCheck(new ObjectMapper().readTree(json), known);
            check.checkAll();
            return check.faults;
        } catch (JsonProcessingException e) {
            return List.of("no JSON: " + e.getOriginalMessage());
        }
    }

    private void checkAll() {
        if (dashboard.path("schemaVersion").asInt() < SCHEMA) {
            faults.add("schemaVersion must be " + SCHEMA + " or more");
        }
        List<String> must = List.of("uid", "title", "time", "refresh");
        must.stream().filter(field -> !dashboard.has(field)).forEach(field -> faults.add("has no " + field));
        Set<String> variables = new HashSet<>(GRAFANAS);
        dashboard
                .at("/templating/list")
                .forEach(variable -> variables.add(variable.path("name").asText()));
        if (!variables.containsAll(Set.of("datasource", "job"))) {
            faults.add("has no variables datasource and job");
        }
        queries(dashboard).forEach((place, expression) -> {
            VARIABLE.matcher(expression)
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> !variables.contains(name))
                    .forEach(name -> faults.add(place + ": there is no variable " + name));
            for (String metric : PromQl.metrics(expression)) {
                if (!known.contains(metric)) {
                    faults.add(place + ": docs/metrics.md has no " + metric);
                }
            }
        });
        checkPanels();
    }

    /** All queries, of panels, annotations and variables, by where they stand. */
    static Map<String, String> queries(JsonNode dashboard) {
        Map<String, String> queries = new LinkedHashMap<>();
        dashboard
                .path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> queries.put(
                                panel.path("title").asText() + " "
                                        + target.path("refId").asText(),
                                target.path("expr").asText())));
        dashboard
                .at("/annotations/list")
                .forEach(annotation -> queries.put(
                        annotation.path("name").asText(),
                        annotation.path("expr").asText()));
        dashboard.at("/templating/list").forEach(variable -> {
            String definition = variable.path("definition").asText();
            if (definition.startsWith("label_values(")) {
                queries.put(
                        variable.path("name").asText(), definition.replaceAll("label_values\\((.*),\\s*\\w+\\)", "$1"));
            }
        });
        return queries;
    }

    private void checkPanels() {
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            String title = panel.path("title").asText();
            if (title.isEmpty() || panel.path("description").asText().isEmpty()) {
                faults.add("panel '" + title + "' needs a title and a description");
            }
            if (!ids.add(panel.path("id").asInt())) {
                faults.add(title + ": has the id of another");
            }
            checkPlace(title, panel.path("gridPos"), cells);
            Set<String> references = new HashSet<>();
            for (JsonNode target : panel.path("targets")) {
                if (!target.at("/datasource/uid").asText().equals(DATA_SOURCE)) {
                    faults.add(title + ": must ask the data source " + DATA_SOURCE);
                }
                if (target.path("expr").asText().isEmpty()
                        || !references.add(target.path("refId").asText())) {
                    faults.add(title + ": a query without expr, or with the refId of another");
                }
            }
            if (references.isEmpty()) {
                faults.add(title + ": asks for nothing");
            }
        }
    }

    private void checkPlace(String title, JsonNode place, Set<String> cells) {
        int right = place.path("x").asInt() + place.path("w").asInt();
        int bottom = place.path("y").asInt() + place.path("h").asInt();
        if (right > WIDTH || place.path("w").asInt() == 0 || place.path("h").asInt() == 0) {
            faults.add(title + ": does not fit into " + WIDTH + " columns");
        }
        boolean free = true;
        for (int x = place.path("x").asInt(); x < right; x++) {
            for (int y = place.path("y").asInt(); y < bottom; y++) {
                free &= cells.add(x + "," + y);
            }
        }
        if (!free) {
            faults.add(title + ": lies upon another panel");
        }
    }
}
