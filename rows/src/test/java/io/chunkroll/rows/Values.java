package io.chunkroll.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads the files of values beside the tests. */
final class Values {
    private Values() {}

    /** The file's values in a list that more can be added to; lines that begin with {@code #} are comments. */
    static List<String> read(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(Values.class.getResourceAsStream("/values/" + file), file)) {
            List<String> values = new ArrayList<>();
            new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(String::translateEscapes)
                    .forEach(values::add);
            return values;
        }
    }
}
