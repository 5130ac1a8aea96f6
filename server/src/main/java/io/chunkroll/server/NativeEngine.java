package io.chunkroll.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A server made of processes of this host. Its folder holds {@code data} and {@code server.log}, and belongs to the server's account. */
final class NativeEngine implements Engine {
    private static final Duration START_LIMIT = Duration.ofMinutes(10);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final long LOG_LIMIT = 10 << 20;

    private final Programs programs;
    private final ServerAccount account;
    private final Path folder;
    private final Path template;
    private final String password;

    /** @param password the role's, asked for by the server; empty: everyone on this host is let in */
    NativeEngine(Programs programs, ServerAccount account, Path folder, Path template, String password) {
        this.programs = programs;
        this.account = account;
        this.folder = folder;
        this.template = template;
        this.password = password;
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Path log() {
        return folder.resolve("server.log");
    }

    @Override
    public void start(int port, ServerSettings settings) {
        try {
            account.makePrivate(folder);
            boolean fresh = !Files.exists(data().resolve("PG_VERSION"));
            if (fresh) {
                copyTemplate();
            }
            account.write(data().resolve(ClusterTemplate.SETTINGS_FILE), settings.toFile(port));
            if (fresh && !password.isEmpty()) {
                setPassword();
            }
            // Left by a crash or a reboot; its number may be another program's by now.
            if (postmasterPid().isEmpty()) {
                Files.deleteIfExists(pidFile());
            }
            startPostmaster(port, settings);
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot start PostgreSQL in " + folder + ": " + e, e);
        }
    }

    private void startPostmaster(int port, ServerSettings settings) throws IOException {
        long logStart = rotateLog();
        Command.Outcome outcome = account.command(List.of(
                        programs.program("pg_ctl").toString(),
                        "start",
                        "--silent",
                        "--wait",
                        "--timeout=" + START_LIMIT.toSeconds(),
                        "--pgdata=" + data(),
                        "--log=" + log()))
                .in(folder)
                .run(START_LIMIT.plusSeconds(10));
        if (!outcome.succeeded()) {
            String said = Files.exists(log()) ? textFrom(log(), logStart) : "";
            throw StartFailure.of(port, settings, said.isBlank() ? outcome.output() : said);
        }
    }

    /** The rest of a file from a byte on, whatever its bytes are. */
    private static String textFrom(Path file, long start) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int from = (int) Math.min(start, bytes.length);
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }

    /** Where this start's lines will begin. */
    private long rotateLog() throws IOException {
        if (!Files.exists(log())) {
            return 0;
        }
        if (Files.size(log()) < LOG_LIMIT) {
            return Files.size(log());
        }
        Files.move(log(), folder.resolve("server.log.1"), StandardCopyOption.REPLACE_EXISTING);
        return 0;
    }

    /** Copied aside first: a copy that was broken off is never taken for a cluster. */
    private void copyTemplate() throws IOException {
        Path copy = folder.resolve("data.new");
        Folders.delete(copy);
        Folders.delete(data());
        account.command(List.of("cp", "-a", "--reflink=auto", template.toString(), copy.toString()))
                .run(START_LIMIT)
                .orThrow("copying " + template + " to " + copy);
        String method = password.isEmpty() ? "trust" : "scram-sha-256";
        account.write(copy.resolve("pg_hba.conf"), "host all all 127.0.0.1/32 " + method + "\n");
        Files.move(copy, data(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Without a server that listens: nobody can come in before the password is set. */
    private void setPassword() throws IOException {
        Path sql = folder.resolve("password.sql");
        account.write(sql, "");
        Files.setPosixFilePermissions(sql, PosixFilePermissions.fromString("rw-------"));
        try {
            Files.writeString(
                    sql, "ALTER ROLE " + ClusterTemplate.USER + " PASSWORD '" + password.replace("'", "''") + "'\n");
            account.command(List.of(
                            programs.program("postgres").toString(), "--single", "-D", data().toString(), "postgres"))
                    .input(sql)
                    .in(folder)
                    .run(START_LIMIT)
                    .orThrow("setting the password in " + data());
        } finally {
            Files.deleteIfExists(sql);
        }
    }

    @Override
    public boolean isRunning() {
        return postmasterPid().isPresent();
    }

    private Path pidFile() {
        return data().resolve("postmaster.pid");
    }

    /** A postmaster works in its data folder: a process of that number elsewhere is another program's. */
    @Override
    public OptionalLong postmasterPid() {
        try {
            long pid = Long.parseLong(Files.readAllLines(pidFile()).get(0).strip());
            Optional<Path> where = ProcessTree.workingFolder(pid);
            return where.isPresent() && Files.isSameFile(where.get(), data())
                    ? OptionalLong.of(pid)
                    : OptionalLong.empty();
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public void stop() {
        OptionalLong postmaster = postmasterPid();
        if (postmaster.isEmpty()) {
            return;
        }
        long pid = postmaster.getAsLong();
        List<Long> all = ProcessTree.pids(pid);
        ProcessTree.continueAll(pid);
        for (String signal : List.of("INT", "QUIT")) {
            ProcessTree.signal(signal, List.of(pid));
            if (ProcessTree.awaitEnd(all, STOP_LIMIT)) {
                return;
            }
        }
        ProcessTree.killAll(pid);
    }

    @Override
    public void kill() {
        postmasterPid().ifPresent(ProcessTree::killAll);
    }

    @Override
    public void freeze() {
        postmasterPid().ifPresent(ProcessTree::stopAll);
    }

    @Override
    public void thaw() {
        postmasterPid().ifPresent(ProcessTree::continueAll);
    }

    @Override
    public void delete() {
        stop();
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot delete " + folder + ": " + e, e);
        }
    }

    @Override
    public List<String> psql() {
        return List.of(programs.program("psql").toString());
    }
}
