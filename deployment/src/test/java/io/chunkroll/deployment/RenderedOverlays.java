package io.chunkroll.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The overlays as kustomize made them last, in {@code deployment/rendered/}: for machines that have no kustomize, for the operator's
 * check, and to see in a diff what a change leads to. Each says of which sources it was made.
 */
final class RenderedOverlays {
    private static final Path FOLDER = Path.of("rendered");
    private static final String HEAD = "# Made by DeploymentTest of k8s/, whose files have the checksum ";

    private RenderedOverlays() {}

    static String read(String overlay) {
        return Overlays.read(FOLDER.resolve(overlay + ".yaml"));
    }

    static void write(String overlay, String rendered) throws IOException {
        Files.createDirectories(FOLDER);
        Files.writeString(FOLDER.resolve(overlay + ".yaml"), head() + rendered);
    }

    /** The first line of what is made of the sources as they are. */
    static String head() {
        return HEAD + checksum() + "\n";
    }

    private static String checksum() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Overlays sources = new Overlays(Overlays.K8S);
            for (String name : sources.sources()) {
                digest.update(
                        (name + "\n" + Overlays.read(sources.root().resolve(name))).getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
