package io.chunkroll.sources.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Finds the files that a path stands for. */
public final class FileFinder {
    private FileFinder() {}

    /**
     * The files, sorted by name.
     *
     * @throws SourceException if there are none
     */
    public static List<InputFile> find(String pattern) throws IOException {
        Path path = new Path(pattern);
        FileSystem files = path.getFileSystem();
        List<FileStatus> found = new ArrayList<>();
        for (FileStatus match : matches(files, path.makeQualified(files))) {
            collect(files, match, found);
        }
        if (found.isEmpty()) {
            throw new SourceException(
                    "source.path " + pattern + ": there is no such file, and no file in such a folder. The path may"
                            + " be a file, a folder, or a glob such as /data/cpu-*.csv; names that begin with . or _ are passed"
                            + " over in folders.");
        }
        return found.stream()
                .map(InputFile::of)
                .sorted(Comparator.comparing(file -> file.path().toString()))
                .toList();
    }

    private static List<FileStatus> matches(FileSystem files, Path path) throws IOException {
        FileStatus exact = status(files, path);
        if (exact != null) {
            return List.of(exact);
        }
        Path parent = path.getParent();
        if (parent == null || !hasWildcard(path.toString())) {
            return List.of();
        }
        PathMatcher name = matcher(path.getName());
        List<FileStatus> found = new ArrayList<>();
        for (FileStatus folder : matches(files, parent)) {
            for (FileStatus entry : folder.isDir() ? list(files, folder.getPath()) : new FileStatus[0]) {
                if (name.matches(java.nio.file.Path.of(entry.getPath().getName()))) {
                    found.add(entry);
                }
            }
        }
        return found;
    }

    private static void collect(FileSystem files, FileStatus entry, List<FileStatus> found) throws IOException {
        if (!entry.isDir()) {
            found.add(entry);
            return;
        }
        for (FileStatus child : list(files, entry.getPath())) {
            String name = child.getPath().getName();
            if (!name.startsWith(".") && !name.startsWith("_")) {
                collect(files, child, found);
            }
        }
    }

    private static FileStatus[] list(FileSystem files, Path folder) throws IOException {
        FileStatus[] entries = files.listStatus(folder);
        if (entries == null) {
            throw new IOException("The folder " + FileNames.of(folder) + " cannot be listed");
        }
        return entries;
    }

    private static FileStatus status(FileSystem files, Path path) throws IOException {
        try {
            return files.getFileStatus(path);
        } catch (FileNotFoundException e) {
            return null;
        }
    }

    private static boolean hasWildcard(String name) {
        return name.chars().anyMatch(character -> "*?[{".indexOf(character) >= 0);
    }

    private static PathMatcher matcher(String name) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + name);
        } catch (PatternSyntaxException e) {
            throw new SourceException("source.path: " + name + " is no glob: " + e.getDescription(), e);
        }
    }
}
