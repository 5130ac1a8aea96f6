package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that finds an apt without packages, and a {@code docker} that writes down its arguments and runs a server without containers. */
@Timeout(300)
class DockerEngineITCase {
    private final Programs programs =
            new PostgresInstall(CacheFolder.ofUser(), ServerAccount.current()).findOrMake(line -> {});
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("chunkroll-test-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        script("apt-get", "echo 'E: Unable to fetch some archives'; exit 100");
    }

    @AfterEach
    void leaveNothing() throws IOException {
        new NativeEngine(programs, ServerAccount.current(), folder.resolve("volume"), folder, "").stop();
        Folders.delete(folder);
    }

    private void script(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void fakeDocker() throws IOException {
        String pgCtl = programs.program("pg_ctl") + " -D " + folder.resolve("volume/data");
        String asServer = ServerAccount.current() == ServerAccount.NOBODY
                ? "setpriv --reuid=nobody --regid=nogroup --clear-groups -- " + pgCtl
                : pgCtl;
        script("docker", """
                cd %1$s
                echo "$@" >> arguments
                case $1 in
                  run)
                    port=${6#127.0.0.1:}
                    mkdir -p volume
                    cp -a %2$s volume/data
                    %3$s -l /dev/null -o "-p ${port%%:5432}" -w start ;;
                  inspect) if %3$s status; then echo true; else echo false; fi | tail -1 ;;
                  stop) %3$s -m fast -w stop ;;
                esac
                """.formatted(
                folder, new PostgresInstall(CacheFolder.ofUser(), ServerAccount.current()).template(), asServer));
    }

    private Process launch() throws IOException {
        return ServerProcess.launch(
                Map.of(
                        "PATH",
                        folder + ":" + System.getenv("PATH"),
                        "CHUNKROLL_CACHE",
                        folder.resolve("cache").toString()),
                "work_mem=5MB");
    }

    @Test
    void runsTheImageWhereThePackagesCannotBeHad() throws Exception {
        fakeDocker();
        Process process = launch();
        String[] joined = ServerProcess.answer(process).split(" ");
        assertThat(joined).startsWith("joined", "0");
        String port = joined[2];
        process.outputWriter().close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        List<String> arguments = Files.readAllLines(folder.resolve("arguments"));
        assertThat(arguments)
                .anySatisfy(line -> assertThat(line)
                        .matches("run --detach --name chunkroll-\\S+ --publish 127\\.0\\.0\\.1:" + port + ":5432 .*")
                        .contains("--volume chunkroll-", ":/var/lib/postgresql/data")
                        .contains(
                                "--env POSTGRES_USER=chunkroll",
                                "--env POSTGRES_PASSWORD timescale/timescaledb:latest-pg17")
                        .contains("-c jit=off", "-c shared_preload_libraries=timescaledb", "-c work_mem=5MB"));
        assertThat(arguments.get(arguments.size() - 1)).startsWith("stop chunkroll-");
    }

    @Test
    void saysWhatWasTriedAndWhatToDoWhereThereIsNothing() throws Exception {
        script("docker", "exit 1");
        String answer = ServerProcess.answer(launch());
        assertThat(answer)
                .startsWith("refused No embedded server")
                .contains("E: Unable to fetch some archives", "sink.url", "docker info")
                .contains("Log: " + folder.resolve("cache/install.log"));
        assertThat(folder.resolve("cache/install.log"))
                .content()
                .contains("apt-get -c", "E: Unable to fetch some archives", "exit 100");
        assertThat(folder.resolve("cache/programs")).isEmptyDirectory();
    }
}
