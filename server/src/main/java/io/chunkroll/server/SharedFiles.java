package io.chunkroll.server;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The files in which the processes that share a server tell each other of it. */
final class SharedFiles {
    private static final AtomicInteger LEASES = new AtomicInteger();

    private final Path folder;

    SharedFiles(Path folder) {
        this.folder = folder;
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> T io(String what, Action<T> action) {
        try {
            return action.run();
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot " + what + " in " + folder + ": " + e, e);
        }
    }

    Path cluster() {
        return folder.resolve("cluster");
    }

    OptionalLong clusterBytes() {
        return io(
                "measure the data",
                () -> Files.isDirectory(cluster()) ? OptionalLong.of(Folders.size(cluster())) : OptionalLong.empty());
    }

    Path passwordFile() {
        return folder.resolve("password");
    }

    Optional<String> password() {
        return io(
                "read the password",
                () -> Files.exists(passwordFile())
                        ? Optional.of(Files.readString(passwordFile()).strip())
                        : Optional.empty());
    }

    /** Readable by the user alone from the moment that it exists. */
    String passwordOrNew() {
        return password()
                .orElseGet(() -> io("write the password", () -> {
                    byte[] random = new byte[24];
                    new SecureRandom().nextBytes(random);
                    String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
                    Path file = Files.createFile(
                            passwordFile(),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                    Files.writeString(file, password + "\n");
                    return password;
                }));
    }

    OptionalLong port() {
        Path file = folder.resolve("port");
        return io(
                "read the port",
                () -> Files.exists(file)
                        ? OptionalLong.of(Long.parseLong(Files.readString(file).strip()))
                        : OptionalLong.empty());
    }

    void writePort(int port) {
        io("write the port", () -> Files.writeString(folder.resolve("port"), port + "\n"));
    }

    /** Those that the server was last started with. */
    Map<String, String> settings() {
        return io("read the settings", () -> {
            Properties properties = new Properties();
            Path file = folder.resolve("settings.properties");
            if (Files.exists(file)) {
                try (Reader reader = Files.newBufferedReader(file)) {
                    properties.load(reader);
                }
            }
            return properties.stringPropertyNames().stream()
                    .collect(Collectors.toMap(name -> name, properties::getProperty));
        });
    }

    void writeSettings(Map<String, String> settings) {
        io("write the settings", () -> {
            Properties properties = new Properties();
            properties.putAll(settings);
            try (Writer writer = Files.newBufferedWriter(folder.resolve("settings.properties"))) {
                properties.store(writer, "PostgreSQL settings that the server was last started with");
            }
            return settings;
        });
    }

    private Path staysUpFile() {
        return folder.resolve("keep-running");
    }

    boolean staysUp() {
        return Files.exists(staysUpFile());
    }

    void writeStaysUp() {
        io("mark the server to stay", () -> Files.writeString(staysUpFile(), ""));
    }

    void deleteStaysUp() {
        io("delete the mark to stay", () -> Files.deleteIfExists(staysUpFile()));
    }

    private Path usersFolder() {
        return folder.resolve("users");
    }

    /** The number of this process is the file's name: so others can tell who uses the server. */
    Lease newLease() {
        CacheFolder.makeOpen(usersFolder());
        io("clear away the leases of ended processes", () -> {
            try (DirectoryStream<Path> dead = Files.newDirectoryStream(usersFolder(), file -> !Lease.isHeld(file))) {
                for (Path file : dead) {
                    Files.deleteIfExists(file);
                }
            }
            return usersFolder();
        });
        return Lease.take(usersFolder().resolve(ProcessHandle.current().pid() + "-" + LEASES.incrementAndGet()));
    }

    /** Processes that hold a lease; one that holds two is there twice. */
    List<Long> users() {
        return io("list the users", () -> {
            List<Long> users = new ArrayList<>();
            if (Files.isDirectory(usersFolder())) {
                try (DirectoryStream<Path> leases = Files.newDirectoryStream(usersFolder())) {
                    for (Path lease : leases) {
                        if (Lease.isHeld(lease)) {
                            users.add(Long.parseLong(
                                    lease.getFileName().toString().replaceFirst("-.*", "")));
                        }
                    }
                }
            }
            return users;
        });
    }
}
