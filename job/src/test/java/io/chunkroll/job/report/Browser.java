package io.chunkroll.job.report;

import io.chunkroll.server.DebianPrograms;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A browser without a window: the host's, or Debian's in the cache folder. */
final class Browser implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<String> NAMES = List.of("chromium", "google-chrome", "chromium-browser", "chrome");
    private static final DebianPrograms.Recipe DEBIAN = new DebianPrograms.Recipe(
            "chromium-1",
            "a browser for the tests of the report",
            120,
            List.of("chromium-headless-shell", "fonts-dejavu-core"),
            Pattern.compile(
                    "dpkg|debconf|libdebconfclient0|adduser|passwd|.*-base|perl.*|libperl.*|systemd|procps|ucf|sensible-utils"),
            List.of("usr/share/doc", "usr/share/man", "usr/share/locale", "usr/share/lintian", "usr/share/bug"),
            List.of("usr/lib/chromium/chromium-headless-shell"));

    private final Process process;
    private final int port;

    private Browser(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param folder for what it keeps while it runs */
    static Browser start(Path folder) throws IOException, InterruptedException {
        Path profile = Files.createDirectories(folder.resolve("profile"));
        List<String> words = new ArrayList<>();
        ProcessBuilder builder = new ProcessBuilder(words);
        Optional<Path> host = Boolean.getBoolean("chunkroll.browser-of-debian") ? Optional.empty() : onPath();
        if (host.isPresent()) {
            words.add(host.get().toString());
        } else {
            words.add(ofDebian(builder, folder));
        }
        words.addAll(List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--window-size=1280,900",
                "about:blank"));
        Path log = folder.resolve("browser.log");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        Path active = profile.resolve("DevToolsActivePort");
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!Files.exists(active) || Files.readString(active).lines().count() < 2) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new IOException("The browser " + words.get(0) + " does not start: " + Files.readString(log));
            }
            Thread.sleep(20);
        }
        return new Browser(process, Integer.parseInt(Files.readAllLines(active).get(0)));
    }

    private static Optional<Path> onPath() {
        return NAMES.stream()
                .flatMap(name -> Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String ofDebian(ProcessBuilder builder, Path folder) throws IOException {
        Path home = DebianPrograms.ofUser(DEBIAN).findOrMake(System.out::println);
        Path fonts = folder.resolve("fonts.conf");
        Files.writeString(
                fonts,
                "<?xml version=\"1.0\"?><fontconfig><dir>" + home.resolve("usr/share/fonts") + "</dir><cachedir>"
                        + folder.resolve("fonts") + "</cachedir></fontconfig>");
        builder.environment().put("FONTCONFIG_FILE", fonts.toString());
        Path libraries = DebianPrograms.libraries(home);
        // Libraries that have a path of their own in them look there, and not where the program does.
        builder.environment().put("LD_LIBRARY_PATH", libraries + ":" + libraries.resolve("pulseaudio"));
        return home.resolve(DEBIAN.programs().get(0)).toString();
    }

    /** The page that it has open. */
    BrowserPage page() throws IOException, InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        String pages = http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return BrowserPage.connect(http, pages);
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
