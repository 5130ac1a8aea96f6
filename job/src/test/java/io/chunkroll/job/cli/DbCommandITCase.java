package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.job.cli.BorrowedCache.Said;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded server by its command, in a cache folder of its own, which borrows the installed programs. */
final class DbCommandITCase {
    @TempDir
    Path folder;

    private BorrowedCache cache;

    @BeforeEach
    void makeCache() throws IOException {
        cache = BorrowedCache.in(folder);
    }

    @AfterEach
    void stop() throws Exception {
        db("stop", "--force");
    }

    private Said db(String... words) throws IOException, InterruptedException {
        return cache.db(words);
    }

    private Said command(List<String> words) throws IOException, InterruptedException {
        return cache.command(words);
    }

    @Test
    void theServerIsStartedUsedAndStopped() throws Exception {
        assertThat(db("status")).satisfies(said -> {
            assertThat(said.exit()).isEqualTo(1);
            assertThat(said.text()).contains("not running");
        });
        assertThat(db("start").exit()).isZero();
        assertThat(db("status").text()).contains("running, to stay", "PostgreSQL   17", "TimescaleDB");
        assertThat(db("url").text()).startsWith("jdbc:postgresql://127.0.0.1:");
        assertThat(db("psql", "-Atc", "SELECT 40 + 2").text()).isEqualTo("42\n");
        assertThat(db("stop").exit()).isZero();
        assertThat(db("url").exit()).isEqualTo(1);
    }

    /** A run without a server's URL starts the embedded one with its settings, and leaves it as it found it, with its rows. */
    @Test
    void aRunUsesItAndItsRowsStay() throws Exception {
        Said run = command(List.of(
                "run",
                "--run.dir",
                folder.resolve("run").toString(),
                "--source.rows",
                "5000",
                "--source.devices",
                "10",
                "--server.work_mem",
                "9MB"));

        assertThat(run.exit()).as(run.text()).isZero();
        assertThat(folder.resolve("run/run.json"))
                .content()
                .contains("\"server.work_mem\" : \"9MB\"", "\"setting.work_mem\" : \"9MB\"");
        assertThat(db("status").text()).contains("not running");
        assertThat(db("psql", "-Atc", "SELECT count(*) FROM cpu").text()).contains("5000");
        assertThat(db("reset").exit()).isZero();
        assertThat(db("psql", "-Atc", "SELECT to_regclass('cpu') IS NULL").text())
                .contains("t");
    }

    @Test
    void aSettingThatPostgresDoesNotKnowIsToldByName() throws Exception {
        Said run =
                command(List.of("run", "--run.dir", folder.resolve("run").toString(), "--server.work_memory", "9MB"));

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.text()).contains("work_memory").doesNotContain("\tat ");
    }
}
