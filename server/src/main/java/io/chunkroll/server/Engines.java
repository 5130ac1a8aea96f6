package io.chunkroll.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Chooses what runs a server on this machine: Debian's packages, and where they cannot be had, Docker. */
final class Engines {
    private final CacheFolder cache;
    private final ServerAccount account = ServerAccount.current();
    private final PostgresInstall install;

    Engines(CacheFolder cache) {
        this.cache = cache;
        this.install = new PostgresInstall(cache, account);
    }

    /** For a server whose data are in the folder. Installs what is missing. */
    Engine of(Path folder, String password, Consumer<String> progress) {
        Optional<ServerUnavailableException> failure = Optional.empty();
        try {
            return ofPrograms(install.findOrMake(progress), folder, password);
        } catch (ServerUnavailableException e) {
            failure = Optional.of(e);
        }
        if (!DockerEngine.isAvailable()) {
            throw unavailable(failure.get());
        }
        progress.accept("Debian's packages cannot be had here (" + failure.get().getMessage() + "); using Docker");
        return ofContainer(folder, password);
    }

    /** The same without installing anything: empty where nothing can have been started yet. */
    Optional<Engine> existing(Path folder, String password) {
        if (install.find().isPresent()) {
            return Optional.of(ofPrograms(install.find().get(), folder, password));
        }
        return DockerEngine.isAvailable() ? Optional.of(ofContainer(folder, password)) : Optional.empty();
    }

    private Engine ofPrograms(Programs programs, Path folder, String password) {
        return new NativeEngine(programs, account, folder, install.template(), password);
    }

    private static Engine ofContainer(Path folder, String password) {
        UUID name = UUID.nameUUIDFromBytes(folder.toString().getBytes(UTF_8));
        return new DockerEngine("chunkroll-" + name.toString().substring(0, 13), password);
    }

    Optional<Programs> programs() {
        return install.find();
    }

    private ServerUnavailableException unavailable(ServerUnavailableException cause) {
        return new ServerUnavailableException(
                "No embedded server: PostgreSQL 17 with TimescaleDB could not be installed from Debian's packages ("
                        + cause.getMessage()
                        + "), and 'docker info' finds no Docker engine. Either give a server of your own with"
                        + " sink.url, sink.user and sink.password, or install Docker, or let this host reach a Debian mirror."
                        + (Files.exists(cache.installLog()) ? " Log: " + cache.installLog() : ""),
                cause);
    }
}
