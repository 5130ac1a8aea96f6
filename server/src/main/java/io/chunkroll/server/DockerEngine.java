package io.chunkroll.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A server in a container of Docker, for hosts without Debian's packages. Its data are in a volume of the same name. */
final class DockerEngine implements Engine {
    static final String IMAGE = "timescale/timescaledb:latest-pg17";

    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final String name;
    private final String password;

    DockerEngine(String name, String password) {
        this.name = name;
        this.password = password;
    }

    static boolean isAvailable() {
        return Command.of("docker", "info").run(Duration.ofSeconds(20)).succeeded();
    }

    /** A stopped container is replaced by a new one on the same volume: settings and port are given when it is made. */
    @Override
    public void start(int port, ServerSettings settings) {
        docker("rm", "--force", name);
        List<String> words = new ArrayList<>(List.of("docker", "run", "--detach", "--name", name));
        words.addAll(List.of("--publish", "127.0.0.1:" + port + ":5432"));
        words.addAll(List.of("--volume", name + ":/var/lib/postgresql/data", "--shm-size", "256m"));
        words.addAll(List.of("--env", "POSTGRES_USER=" + ClusterTemplate.USER));
        words.addAll(List.of("--env", "POSTGRES_DB=" + ClusterTemplate.DATABASE));
        // The value is taken from docker's own environment, so that no list of processes shows it.
        words.addAll(List.of("--env", password.isEmpty() ? "POSTGRES_HOST_AUTH_METHOD=trust" : "POSTGRES_PASSWORD"));
        words.addAll(List.of(IMAGE, "postgres"));
        settings.effective().forEach((key, value) -> words.addAll(List.of("-c", key + "=" + value)));
        Command.Outcome outcome =
                Command.of(words).env("POSTGRES_PASSWORD", password).run(LIMIT);
        if (!outcome.succeeded()) {
            if (outcome.output().contains("port is already allocated")
                    || outcome.output().contains("address already in use")) {
                throw new FreePort.TakenException(port);
            }
            throw new ServerUnavailableException(
                    "docker run " + IMAGE + " failed: " + outcome.output().strip());
        }
        awaitConnections(port, settings);
    }

    private void awaitConnections(int port, ServerSettings settings) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!new Endpoint(port, password).answers()) {
            if (!isRunning()) {
                throw StartFailure.of(
                        port, settings, docker("logs", "--tail", "20", name).output());
            }
            if (System.nanoTime() > end) {
                throw new ServerUnavailableException("the container " + name + " runs but takes no connections on port "
                        + port + "; see docker logs " + name);
            }
            Pause.millis(200);
        }
    }

    @Override
    public boolean isRunning() {
        Command.Outcome outcome = docker("inspect", "--format", "{{.State.Running}}", name);
        return outcome.succeeded() && outcome.output().strip().equals("true");
    }

    @Override
    public void stop() {
        docker("stop", name);
    }

    @Override
    public void kill() {
        docker("kill", name);
    }

    @Override
    public void freeze() {
        docker("pause", name);
    }

    @Override
    public void thaw() {
        docker("unpause", name);
    }

    @Override
    public void delete() {
        docker("rm", "--force", name);
        docker("volume", "rm", "--force", name);
    }

    @Override
    public OptionalLong postmasterPid() {
        return OptionalLong.empty();
    }

    /** Inside the container, where the role is let in without a password. It has no terminal, so it shows no prompt. */
    @Override
    public List<String> psql() {
        return List.of(
                "docker",
                "exec",
                "--interactive",
                name,
                "psql",
                "--username=" + ClusterTemplate.USER,
                "--dbname=" + ClusterTemplate.DATABASE);
    }

    private static Command.Outcome docker(String... words) {
        List<String> all = new ArrayList<>(List.of("docker"));
        all.addAll(List.of(words));
        return Command.of(all).run(LIMIT);
    }
}
