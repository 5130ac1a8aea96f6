package io.chunkroll.job.live;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.chunkroll.job.report.Report;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the report of {@link LiveRuns}: {@code /} the page, {@code /data.json} what it draws, which the page asks for again and again. A
 * version is sent once to each reader, who is told with status 304 that nothing has changed. Whatever a reader does, or leaves undone, the
 * one who feeds the runs does not notice.
 */
public final class LivePage implements AutoCloseable {
    /** Tells a reader of {@code data.json} whether more is to come: {@code running} or {@code ended}. */
    static final String STATE = "X-Chunkroll-State";

    private static final Logger LOG = LoggerFactory.getLogger(LivePage.class);
    private static final int READERS = 4;
    /** A reader that asked so recently is looking still. */
    private static final long LOOKING_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** How long the end waits, so that such a reader hears of it. */
    private static final long PATIENCE_MILLIS = 3_000;

    private static final long PATIENCE_STEP_MILLIS = 50;

    static {
        // In seconds. A reader that takes no more of its answer would keep a thread for ever.
        for (String limit : List.of("sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime")) {
            if (System.getProperty(limit) == null) {
                System.setProperty(limit, "30");
            }
        }
    }

    private final LiveRuns runs;
    private final HttpServer server;
    private final ExecutorService readers;
    private final HostCheck hosts;
    private final String shownHost;
    private final AtomicLong lastAsked = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong heardOfEnd = new AtomicLong();
    private Copy data = new Copy(-1, new byte[0], false);

    /** What is sent, made once for all readers. */
    private record Copy(long version, byte[] bytes, boolean allOver) {}

    private LivePage(LiveRuns runs, HttpServer server, InetSocketAddress asked, boolean isLoopback) {
        this.runs = runs;
        this.server = server;
        hosts = new HostCheck(asked.getHostString());
        shownHost = isLoopback ? "localhost" : asked.getHostString();
        readers = Executors.newFixedThreadPool(READERS, work -> {
            Thread thread = new Thread(work, "live page");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(readers);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Serves from now on.
     *
     * @param address as the setting has it
     * @throws SettingsException if it cannot be served there: the port is taken, or not for this user, or the host is none of this machine
     */
    public static LivePage open(InetSocketAddress address, LiveRuns runs) {
        String asked = AllSettings.LIVE.key() + " " + address.getHostString() + ":" + address.getPort();
        try {
            InetAddress host = address.getHostString().equals("localhost")
                    ? InetAddress.getLoopbackAddress()
                    : InetAddress.getByName(address.getHostString());
            HttpServer server = HttpServer.create(new InetSocketAddress(host, address.getPort()), 0);
            return new LivePage(runs, server, address, host.isLoopbackAddress());
        } catch (UnknownHostException e) {
            throw new SettingsException(List.of(asked + ": the host is not known"));
        } catch (BindException e) {
            throw new SettingsException(List.of(asked + ": the page cannot be served there (" + e.getMessage()
                    + "); give another port, or 0 for any free one"));
        } catch (IOException e) {
            throw new SettingsException(List.of(asked + ": the page cannot be served there: " + e));
        }
    }

    /** Where it is to be seen. */
    public String url() {
        String host = shownHost.contains(":") ? "[" + shownHost + "]" : shownHost;
        return "http://" + host + ":" + server.getAddress().getPort() + "/";
    }

    /** Whether other machines reach it. */
    public boolean isOpenToOthers() {
        return !server.getAddress().getAddress().isLoopbackAddress();
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            route(exchange);
        } catch (IOException e) {
            LOG.debug("A reader went away: {}", e.toString());
        } catch (RuntimeException e) {
            LOG.warn("The page could not be made", e);
        }
    }

    private void route(HttpExchange exchange) throws IOException {
        if (!hosts.allows(exchange.getRequestHeaders().getFirst("Host"))) {
            refuse(exchange, 403, "This page is not served under that name.");
        } else if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
            refuse(exchange, 405, "This page is only read.");
        } else if (exchange.getRequestURI().getPath().equals("/data.json")) {
            sendData(exchange);
        } else if (exchange.getRequestURI().getPath().equals("/")) {
            byte[] page = Report.livePage(runs.now().runs()).getBytes(StandardCharsets.UTF_8);
            send(exchange, 200, "text/html; charset=utf-8", page);
        } else {
            refuse(exchange, 404, "There is / and /data.json.");
        }
    }

    private void sendData(HttpExchange exchange) throws IOException {
        lastAsked.set(System.nanoTime());
        Copy copy = data();
        String tag = "\"" + copy.version() + "\"";
        Headers headers = exchange.getResponseHeaders();
        headers.set("ETag", tag);
        headers.set(STATE, copy.allOver() ? "ended" : "running");
        if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            common(headers);
            exchange.sendResponseHeaders(304, -1);
        } else {
            send(exchange, 200, "application/json", copy.bytes());
        }
        if (copy.allOver()) {
            heardOfEnd.incrementAndGet();
        }
    }

    private synchronized Copy data() {
        LiveRuns.Moment now = runs.now();
        if (now.version() != data.version()) {
            byte[] bytes = Report.liveData(now.runs()).getBytes(StandardCharsets.UTF_8);
            data = new Copy(now.version(), bytes, now.allOver());
        }
        return data;
    }

    private static void refuse(HttpExchange exchange, int status, String words) throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", words.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        common(exchange.getResponseHeaders());
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static void common(Headers headers) {
        headers.set("Cache-Control", "no-cache");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("X-Frame-Options", "DENY");
    }

    /** Ends, as soon as those who look have heard that no run is to come, or do not ask any more. */
    @Override
    public void close() {
        runs.allOver();
        try {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
            long asked = lastAsked.get();
            boolean isLookedAt = asked != Long.MIN_VALUE && System.nanoTime() - asked < LOOKING_NANOS;
            while (isLookedAt && heardOfEnd.get() == 0 && System.nanoTime() < end) {
                Thread.sleep(PATIENCE_STEP_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        readers.shutdownNow();
    }
}
