package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tests of whole loads share: a fresh schema on a real server, a folder for files and run folders, and the command line between the
 * two. Settings are written as {@code "sink.table cpu"}, key and value; words that begin with {@code --} are options as they stand.
 */
abstract class LoadScenario {
    @TempDir
    Path folder;

    TestDatabase database;

    @BeforeEach
    final void openDatabase() {
        database = TestDatabase.create();
    }

    @AfterEach
    final void closeDatabase() {
        database.close();
    }

    /** What each run of the class is given besides its own settings. */
    List<String> always() {
        return List.of();
    }

    /** Loads into the test's schema; the run folder is called {@code run}. */
    final LoadResult run(String... settings) {
        return runInto("run", settings);
    }

    /** Likewise, with another name of the run folder. */
    final LoadResult runInto(String name, String... settings) {
        return new LoadResult(Cli.run(words(name, settings).toArray(String[]::new)), folder.resolve(name));
    }

    /** A load as a process of its own. */
    final CommandProcess start(String name, String... settings) {
        try {
            return CommandProcess.start(folder, Map.of(), words(name, settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command line of such a run. */
    final List<String> words(String name, String... settings) {
        List<String> words = onServer("run", "run.dir " + folder.resolve(name));
        words.addAll(words(always()));
        words.addAll(words(List.of(settings)));
        return words;
    }

    /** A command that is told of the test's server. */
    final Cli command(String command, String... words) {
        return Cli.run(onServer(command, words).toArray(String[]::new));
    }

    private List<String> onServer(String command, String... words) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(words(List.of("sink.url " + database.url(), "sink.user " + database.user())));
        all.addAll(words(List.of(words)));
        return all;
    }

    /** Generates rows into a file of this name. */
    final Path generate(String name, String... settings) {
        Path file = folder.resolve(name);
        Cli generated = generating(file, settings);
        assertThat(generated.exit()).as(generated.all()).isZero();
        return file;
    }

    static Cli generating(Path file, String... settings) {
        List<String> words = new ArrayList<>(List.of("generate", "--out", file.toString()));
        words.addAll(words(List.of(settings)));
        return Cli.run(words.toArray(String[]::new));
    }

    /** A file of this name, with this text. */
    final Path write(String name, CharSequence text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String[] and(String[] first, String... more) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static List<String> words(List<String> settings) {
        List<String> words = new ArrayList<>();
        for (String setting : settings) {
            int space = setting.startsWith("--") ? -1 : setting.indexOf(' ');
            if (space < 0) {
                words.add(setting);
            } else {
                words.add("--" + setting.substring(0, space));
                words.add(setting.substring(space + 1));
            }
        }
        return words;
    }
}
