package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A page in a browser, by way of the DevTools protocol: commands go there, errors and requests come back. */
final class BrowserPage implements WebSocket.Listener {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LIMIT_SECONDS = 60;

    private final AtomicInteger last = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private WebSocket socket;

    /** What went wrong in the page: exceptions, errors and warnings of its scripts, what the browser itself complains of. */
    final List<String> errors = new CopyOnWriteArrayList<>();
    /** The addresses it asked for. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    static BrowserPage connect(HttpClient http, String targets) throws IOException {
        for (JsonNode target : JSON.readTree(targets)) {
            if (target.path("type").asText().equals("page")) {
                BrowserPage page = new BrowserPage();
                page.socket = http.newWebSocketBuilder()
                        .buildAsync(
                                URI.create(target.path("webSocketDebuggerUrl").asText()), page)
                        .join();
                for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
                    page.send(domain + ".enable", Map.of());
                }
                return page;
            }
        }
        throw new IOException("The browser has no page: " + targets);
    }

    JsonNode send(String method, Map<String, ?> parameters) {
        int id = last.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        open.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        socket.sendText(message.toString(), true).join();
        JsonNode found = answer.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
        if (found.has("error")) {
            throw new IllegalStateException(method + ": " + found.path("error"));
        }
        return found.path("result");
    }

    /** The value of an expression, once a promise is kept. */
    JsonNode eval(String script) {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", script, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(script + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** Until the expression is true. */
    void await(String script) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!eval("Boolean(" + script + ")").asBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Never true: " + script);
            }
            Thread.sleep(20);
        }
    }

    void open(URI address) throws InterruptedException {
        send("Page.navigate", Map.of("url", address.toString()));
        await("location.href !== 'about:blank' && document.readyState === 'complete'");
    }

    void mouse(String type, double x, double y, Map<String, ?> more) {
        Map<String, Object> event = new java.util.HashMap<>(more);
        event.putAll(Map.of("type", type, "x", x, "y", y));
        send("Input.dispatchMouseEvent", event);
    }

    /** With the mouse, in the middle of the first element that matches. */
    void click(String selector) {
        JsonNode at = eval("(() => { const e = document.querySelector(" + JSON.valueToTree(selector)
                + "); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
                + " return [b.x + b.width / 2, b.y + b.height / 2]; })()");
        double x = at.get(0).asDouble();
        double y = at.get(1).asDouble();
        Map<String, ?> left = Map.of("button", "left", "clickCount", 1);
        mouse("mouseMoved", x, y, Map.of());
        mouse("mousePressed", x, y, left);
        mouse("mouseReleased", x, y, left);
    }

    void key(String key) {
        Map<String, Object> event = new java.util.HashMap<>(Map.of("key", key));
        if (key.length() == 1) {
            event.put("text", key);
        }
        event.put("type", "keyDown");
        send("Input.dispatchKeyEvent", event);
        event.put("type", "keyUp");
        event.remove("text");
        send("Input.dispatchKeyEvent", event);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
        text.append(data);
        if (isLast) {
            take(text.toString());
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    private void take(String message) {
        try {
            JsonNode node = JSON.readTree(message);
            if (node.has("id")) {
                open.remove(node.path("id").asInt()).complete(node);
                return;
            }
            JsonNode said = node.path("params");
            switch (node.path("method").asText()) {
                case "Runtime.exceptionThrown" -> errors.add(message);
                case "Runtime.consoleAPICalled" -> {
                    if (List.of("error", "assert", "warning")
                            .contains(said.path("type").asText())) {
                        errors.add(message);
                    }
                }
                case "Log.entryAdded" -> {
                    if (List.of("error", "warning")
                            .contains(said.path("entry").path("level").asText())) {
                        errors.add(message);
                    }
                }
                case "Network.requestWillBeSent" ->
                    requests.add(said.path("request").path("url").asText());
                default -> {}
            }
        } catch (IOException e) {
            errors.add("not JSON: " + message);
        }
    }
}
