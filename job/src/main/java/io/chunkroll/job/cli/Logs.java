package io.chunkroll.job.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.logging.log4j.core.config.Configurator;

/**
 * Where the log goes: into a file, never onto the terminal. The configuration, {@code chunkroll-log4j2.xml}, takes the file's name from a
 * system property.
 */
final class Logs {
    static final String FILE = "chunkroll.log";
    private static final String CONFIGURATION = "log4j2.configurationFile";

    private Logs() {}

    /** Logs into the temporary folder until a run folder is known; an own configuration of the user's is left alone. */
    static void start() {
        if (System.getProperty(CONFIGURATION) == null) {
            System.setProperty(CONFIGURATION, "classpath:chunkroll-log4j2.xml");
        }
        // The driver logs through java.util.logging, which writes to the terminal; what it says is in its exceptions,
        // too.
        java.util.logging.LogManager.getLogManager().reset();
        System.setProperty(
                FILE,
                Path.of(System.getProperty("java.io.tmpdir"), "chunkroll-" + System.getProperty("user.name") + ".log")
                        .toString());
    }

    /** Logs into the run folder from now on. */
    static void into(Path folder) {
        System.setProperty(FILE, folder.resolve(FILE).toString());
        Configurator.reconfigure();
    }

    /** The file that is written now. */
    static Optional<Path> file() {
        return Optional.ofNullable(System.getProperty(FILE)).map(Path::of);
    }
}
