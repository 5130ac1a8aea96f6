package io.chunkroll.faults.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.server.PrometheusPrograms;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** A Prometheus of this machine that scrapes every second; its files lie in a folder of the test's. */
final class PrometheusServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final URI address;

    private PrometheusServer(Process process, int port) {
        this.process = process;
        address = URI.create("http://127.0.0.1:" + port + "/");
    }

    /**
     * Starts one; on return it answers.
     *
     * @param rules the text of a rule file
     * @param port its own
     * @param targets ports of this machine to be scraped, of whom not all need to answer
     */
    static PrometheusServer start(Path folder, String rules, int port, IntStream targets) throws IOException {
        Files.writeString(folder.resolve("rules.yaml"), rules);
        String hosts = targets.mapToObj(target -> "'127.0.0.1:" + target + "'").collect(Collectors.joining(", "));
        Path config = Files.writeString(folder.resolve("prometheus.yaml"), """
                global:
                  scrape_interval: 1s
                  evaluation_interval: 1s
                rule_files: [rules.yaml]
                scrape_configs:
                  - job_name: flink
                    static_configs:
                      - targets: [%s]
                """.formatted(hosts));
        Process process = new ProcessBuilder(
                        PrometheusPrograms.find("prometheus").toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        PrometheusServer server = new PrometheusServer(process, port);
        try {
            Awaitility.await("Prometheus")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(() -> server.get("api/v1/status/runtimeinfo").has("data"));
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw new IOException(
                    "Prometheus does not come up: " + Files.readString(folder.resolve("prometheus.log")), e);
        }
    }

    /** The samples that an expression has now, each a number; NaN where somebody said that he does not know. */
    List<Double> query(String expression) {
        List<Double> values = new ArrayList<>();
        get("api/v1/query?query=" + encoded(expression))
                .at("/data/result")
                .forEach(sample -> values.add(number(sample.at("/value/1").asText())));
        return values;
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    /** The values of a label, of series that this selector names. */
    List<String> labelValues(String label, String selector) {
        List<String> values = new ArrayList<>();
        get("api/v1/label/" + label + "/values?match[]=".replace("[", "%5B").replace("]", "%5D") + encoded(selector))
                .path("data")
                .forEach(value -> values.add(value.asText()));
        return values;
    }

    /** All rules with their state, as the server has them. */
    List<JsonNode> rules() {
        List<JsonNode> rules = new ArrayList<>();
        get("api/v1/rules")
                .at("/data/groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    /** The names of the alerts that fire. */
    List<String> firing() {
        return rules().stream()
                .filter(rule -> rule.path("state").asText().equals("firing"))
                .map(rule -> rule.path("name").asText())
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private JsonNode get(String path) {
        try {
            var response = client.send(
                    HttpRequest.newBuilder(address.resolve(path))
                            .timeout(PATIENCE)
                            .build(),
                    BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(path + " answers " + response.body());
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new IllegalStateException(path + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
