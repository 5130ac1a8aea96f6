package io.chunkroll.job.study;

import io.chunkroll.job.run.Target;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The baseline: a CSV file loaded by psql's {@code \copy}, one transaction a connection. Over several connections, each loads every
 * n-th line of the file, so that they move through time together.
 */
final class PsqlCopy {
    // Bash's own clock: seconds, then CPU seconds in user and system mode of all that ran in the brackets.
    private static final String SCRIPT = """
            TIMEFORMAT='%3R %3U %3S'
            statement="$1"; shift
            time (
                pids=()
                while [ "$1" != -- ]; do files+=("$1"); shift; done; shift
                for file in "${files[@]}"; do "$@" -X -q -v ON_ERROR_STOP=1 -c "\\copy $statement FROM '$file' CSV" & pids+=($!); done
                for pid in "${pids[@]}"; do wait "$pid" || exit 1; done
            )
            """;

    private final Target target;
    private final Path file;

    PsqlCopy(Target target, Path file) {
        this.target = target;
        this.file = file;
    }

    /** What it took: seconds of the clock and of psql's own CPU. */
    record Took(double seconds, double clientCpuSeconds) {}

    /** Writes the parts that the connections load, if they are not there yet. */
    List<Path> parts(int connections) throws IOException {
        if (connections == 1) {
            return List.of(file);
        }
        List<Path> parts = IntStream.range(0, connections)
                .mapToObj(part -> file.resolveSibling(file.getFileName() + ".part-" + part + "-of-" + connections))
                .toList();
        if (!parts.stream().allMatch(Files::exists)) {
            List<Path> unfinished = parts.stream()
                    .map(part -> part.resolveSibling(part.getFileName() + ".unfinished"))
                    .toList();
            split(unfinished);
            for (int part = 0; part < connections; part++) {
                Files.move(unfinished.get(part), parts.get(part), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return parts;
    }

    private void split(List<Path> parts) throws IOException {
        List<OutputStream> outs = new ArrayList<>();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
            for (Path part : parts) {
                outs.add(new BufferedOutputStream(Files.newOutputStream(part), 1 << 20));
            }
            byte[] block = new byte[1 << 20];
            int turn = 0;
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                int begin = 0;
                for (int at = 0; at < read; at++) {
                    if (block[at] == '\n') {
                        outs.get(turn).write(block, begin, at + 1 - begin);
                        begin = at + 1;
                        turn = (turn + 1) % outs.size();
                    }
                }
                outs.get(turn).write(block, begin, read - begin);
            }
        } finally {
            for (OutputStream out : outs) {
                out.close();
            }
        }
    }

    /**
     * Loads the file into a table that is there.
     *
     * @param table its name as SQL, with the list of columns behind it if they are not all
     */
    Took load(String table, List<Path> parts) throws IOException, InterruptedException {
        ProcessBuilder psql = target.psql();
        List<String> words = new ArrayList<>(List.of("bash", "-c", SCRIPT, "psql-copy", table));
        parts.forEach(part -> words.add(part.toAbsolutePath().toString()));
        words.add("--");
        words.addAll(psql.command());
        psql.environment().put("LC_ALL", "C");
        Process process = psql.command(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        String[] times = said.substring(said.lastIndexOf('\n') + 1).split(" ");
        if (process.waitFor() != 0 || times.length != 3) {
            throw new IOException("psql could not load " + file.getFileName() + ": " + said);
        }
        return new Took(Double.parseDouble(times[0]), Double.parseDouble(times[1]) + Double.parseDouble(times[2]));
    }
}
