package io.chunkroll.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Kustomize as this machine has it: within kubectl, or by itself. */
record Kustomize(List<String> command) {
    /** The first of both on the PATH. */
    static Optional<Kustomize> find() {
        if (isProgram("kubectl")) {
            return Optional.of(new Kustomize(List.of("kubectl", "kustomize")));
        }
        return isProgram("kustomize") ? Optional.of(new Kustomize(List.of("kustomize", "build"))) : Optional.empty();
    }

    private static boolean isProgram(String name) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /**
     * All objects of an overlay.
     *
     * @throws IllegalArgumentException with what kustomize says against it
     */
    String render(Path overlay) {
        List<String> words = new ArrayList<>(command);
        words.add(overlay.toString());
        try {
            Path errors = Files.createTempFile("kustomize", ".err");
            try {
                Process process =
                        new ProcessBuilder(words).redirectError(errors.toFile()).start();
                String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new IllegalArgumentException(String.join(" ", command) + " " + overlay.getFileName() + ": "
                            + Files.readString(errors).strip());
                }
                return output;
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + words, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + words, e);
        }
    }
}
