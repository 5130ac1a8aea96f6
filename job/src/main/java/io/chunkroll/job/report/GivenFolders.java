package io.chunkroll.job.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The runs of the folders that somebody named: run folders, and studies' folders, which hold those of their runs. */
public final class GivenFolders {
    private GivenFolders() {}

    /**
     * Reads them, in the order given; those of a study in the order in which they were made. Runs of one name count as repeats, but not
     * across studies: there they are made on another machine or by another version, and their names say of which study they are.
     *
     * @throws ReportException naming the folder that is neither
     */
    public static List<RunFolder> read(List<Path> given) {
        Map<Path, List<RunFolder>> studies = new HashMap<>();
        for (Path folder : given) {
            if (isStudy(folder)) {
                studies.put(folder, inside(folder));
            }
        }
        Set<String> shared = shared(studies);
        List<RunFolder> runs = new ArrayList<>();
        for (Path folder : given) {
            if (studies.containsKey(folder)) {
                for (RunFolder run : studies.get(folder)) {
                    String name = run.summary().name();
                    runs.add(shared.contains(name) ? run.named(name + ", " + label(folder, studies.keySet())) : run);
                }
            } else {
                runs.add(RunFolder.read(folder));
            }
        }
        return runs;
    }

    /** The runs that lie in a folder, in the order in which they were made. */
    public static List<RunFolder> inside(Path study) {
        try (Stream<Path> entries = Files.list(study)) {
            return entries.filter(GivenFolders::isRun)
                    .sorted()
                    .map(RunFolder::read)
                    .sorted(Comparator.comparing(
                            run -> run.summary().startedAt().orElse("")))
                    .toList();
        } catch (IOException e) {
            throw new ReportException("Cannot list " + study + ": " + e, e);
        }
    }

    private static boolean isRun(Path folder) {
        return Files.isRegularFile(folder.resolve(RunFolder.SUMMARY_FILE));
    }

    private static boolean isStudy(Path folder) {
        if (!Files.isDirectory(folder) || isRun(folder)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(GivenFolders::isRun);
        } catch (IOException e) {
            throw new ReportException("Cannot list " + folder + ": " + e, e);
        }
    }

    /** A study's name: its folder's, or the way to it where two are called the same. */
    private static String label(Path study, Set<Path> all) {
        boolean unique =
                all.stream().filter(other -> name(other).equals(name(study))).count() == 1;
        return unique ? name(study) : study.toString();
    }

    private static String name(Path folder) {
        return String.valueOf(folder.toAbsolutePath().normalize().getFileName());
    }

    /** Names that runs of several studies have. */
    private static Set<String> shared(Map<Path, List<RunFolder>> studies) {
        Set<String> seen = new HashSet<>();
        Set<String> shared = new HashSet<>();
        for (List<RunFolder> runs : studies.values()) {
            Set<String> own = new HashSet<>();
            runs.forEach(run -> own.add(run.summary().name()));
            own.stream().filter(name -> !seen.add(name)).forEach(shared::add);
        }
        return shared;
    }
}
