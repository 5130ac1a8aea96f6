package io.chunkroll.job.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;

/** JSON over HTTP. */
final class Http {
    static final BodyPublisher NOTHING = BodyPublishers.noBody();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
    private static final String BOUNDARY = "chunkroll-part";
    private static final int FIRST_BAD_STATUS = 300;

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_PATIENCE)
            .build();

    Http(URI address) {
        String text = address.toString();
        this.address = URI.create(text.endsWith("/") ? text : text + "/");
    }

    URI address() {
        return address;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path)).timeout(PATIENCE);
    }

    JsonNode get(String path) {
        return send(request(path).GET());
    }

    JsonNode post(String path, Map<String, Object> body) {
        try {
            return send(request(path)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
        } catch (IOException e) {
            throw new ClusterException("Cannot write the request to " + path, e);
        }
    }

    /** Sends a file as a form does. */
    JsonNode upload(String path, String field, Path file) {
        String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\""
                + file.getFileName() + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n";
        try {
            BodyPublisher body = BodyPublishers.concat(
                    BodyPublishers.ofString(head),
                    BodyPublishers.ofFile(file),
                    BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n"));
            return send(request(path)
                    .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                    .POST(body));
        } catch (FileNotFoundException e) {
            throw new ClusterException("There is no " + file.toAbsolutePath() + ": build the job first", e);
        }
    }

    JsonNode send(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= FIRST_BAD_STATUS) {
                throw new ClusterException(
                        request.method() + " " + request.uri() + " answers " + response.statusCode() + ": "
                                + errors(response.body()),
                        response.statusCode(),
                        null);
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            String said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new ClusterException(
                    "No Flink cluster answers at " + address + " (" + said + "): check the URL and whether it runs", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted", e);
        }
    }

    /** Flink wraps what went wrong, stack traces above all, in an array. */
    private static String errors(String body) {
        try {
            StringJoiner errors = new StringJoiner("\n");
            JSON.readTree(body).path("errors").forEach(error -> errors.add(error.asText()));
            return errors.length() > 0 ? errors.toString() : body;
        } catch (IOException e) {
            return body;
        }
    }
}
