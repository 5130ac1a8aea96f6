package io.chunkroll.job.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates made with the JDK's keytool: of an authority, and signed by it, of a server on 127.0.0.1. */
final class Certificates {
    private static final String PASSWORD = "only-for-this-test";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private final Path folder;
    private final Path store;

    private Certificates(Path folder) {
        this.folder = folder;
        store = folder.resolve("store.p12");
    }

    static Certificates make(Path folder) throws Exception {
        Certificates made = new Certificates(Files.createDirectory(folder));
        made.keytool("-alias", "authority", "-dname", "CN=authority", "-ext", "bc:critical=ca:true");
        made.keytool("-alias", "server", "-dname", "CN=server", "-ext", "san=ip:127.0.0.1", "-signer", "authority");
        return made;
    }

    private void keytool(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
        command.addAll(List.of("-keyalg", "EC", "-keystore", store.toString(), "-storepass", PASSWORD));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + " failed: " + said);
        }
    }

    private KeyStore store() throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }

    Path ofAuthority() throws GeneralSecurityException, IOException {
        return pem(
                "authority.crt",
                "CERTIFICATE",
                store().getCertificate("authority").getEncoded());
    }

    Path ofServer() throws GeneralSecurityException, IOException {
        return pem("server.crt", "CERTIFICATE", store().getCertificate("server").getEncoded());
    }

    /** Readable for the server alone, which it insists on: root's servers run as {@code nobody}. */
    Path keyOfServer() throws GeneralSecurityException, IOException {
        Path key = pem(
                "server.key",
                "PRIVATE KEY",
                store().getKey("server", PASSWORD.toCharArray()).getEncoded());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        if (System.getProperty("user.name").equals("root")) {
            Files.setOwner(
                    key, key.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        return key;
    }

    private Path pem(String name, String what, byte[] content) throws IOException {
        String text =
                "-----BEGIN " + what + "-----\n" + LINES.encodeToString(content) + "\n-----END " + what + "-----\n";
        return Files.writeString(folder.resolve(name), text);
    }
}
