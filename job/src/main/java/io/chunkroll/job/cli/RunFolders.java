package io.chunkroll.job.cli;

import io.chunkroll.job.run.RunException;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;

/** Makes run folders. */
final class RunFolders {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss");

    private RunFolders() {}

    /** The folder chosen, or a new one under {@code runs/} that is named after time and table. */
    static Path make(Settings settings) {
        return settings.runDir().map(RunFolders::makeChosen).orElseGet(() -> makeNew(defaultName(settings)));
    }

    /** A folder under {@code runs/} that did not exist before. */
    static Path makeNew(String name) {
        String stamp = LocalDateTime.now(ZoneId.systemDefault()).format(TIME);
        for (int i = 1; ; i++) {
            Path folder = Path.of("runs", stamp + '-' + name + (i == 1 ? "" : "-" + i));
            try {
                Files.createDirectories(folder.getParent());
                return Files.createDirectory(folder);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(folder)) {
                    throw unwritable(folder, e);
                }
            } catch (IOException e) {
                throw unwritable(folder, e);
            }
        }
    }

    /** What is there may hold the log of a run that did not start, nothing else. */
    static Path makeChosen(Path folder) {
        try {
            Files.createDirectories(folder);
            Path probe = Files.createTempFile(folder, ".writable", null);
            Files.delete(probe);
        } catch (IOException e) {
            throw unwritable(folder, e);
        }
        try (Stream<Path> files = Files.list(folder)) {
            if (files.anyMatch(file -> !file.equals(folder.resolve(Logs.FILE)))) {
                throw new RunException(
                        "The run folder " + folder + " (run.dir) is not empty: name another, or remove what is in it");
            }
        } catch (IOException e) {
            throw unwritable(folder, e);
        }
        return folder;
    }

    private static String defaultName(Settings settings) {
        String name = settings.sink().kind() == SinkKind.DISCARD
                ? "discard"
                : settings.sink().table()
                        + settings.sink()
                                .layout()
                                .map(layout -> "-" + layout.name().toLowerCase(Locale.ROOT))
                                .orElse("");
        return name.replaceAll("[^A-Za-z0-9._-]+", "_");
    }

    private static RunException unwritable(Path folder, IOException e) {
        return new RunException(
                "The run folder " + folder.toAbsolutePath() + " cannot be written (" + reason(e)
                        + "): make it writable, or set run.dir to another place",
                e);
    }

    private static String reason(IOException e) {
        if (e instanceof FileAlreadyExistsException) {
            return "a file of that name is there";
        }
        return e instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : e.getClass().getSimpleName();
    }
}
