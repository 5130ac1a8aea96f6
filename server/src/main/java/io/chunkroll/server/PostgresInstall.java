package io.chunkroll.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Finds PostgreSQL 17 and TimescaleDB in the cache folder, or makes them there from Debian's packages. */
final class PostgresInstall {
    /** A folder made by another recipe is never mistaken for this one's. */
    private static final String VERSION = "pg17-1";

    /** What the package tools would want on a whole system, and a server in a folder of its own never opens. */
    static final Pattern NOT_NEEDED = Pattern.compile("libllvm.*|libz3-.*|.*perl.*|locales|libc-l10n|libc-bin|tzdata"
            + "|dpkg|debconf|libdebconfclient0|adduser|passwd|login\\.defs|base-passwd|procps|libproc2.*|sysvinit-utils|systemd"
            + "|init-system-helpers|sensible-utils|ucf|ssl-cert|netbase|openssl|openssl-provider-legacy|readline-common"
            + "|libpam-modules.*|libsemanage.*|libsepol.*|postgresql-common.*|postgresql-client-common|.*-base");

    private static final DebianPrograms.Recipe RECIPE = new DebianPrograms.Recipe(
            VERSION,
            "PostgreSQL 17 with TimescaleDB",
            50,
            List.of("postgresql-17-timescaledb"),
            NOT_NEEDED,
            List.of(
                    "usr/share/doc",
                    "usr/share/man",
                    "usr/share/locale",
                    "usr/share/lintian",
                    "usr/share/bug",
                    "usr/share/postgresql/17/man",
                    "usr/lib/postgresql/17/lib/bitcode",
                    "var",
                    "etc"),
            List.of("usr/lib/postgresql/17/bin"));

    private final CacheFolder cache;
    private final ServerAccount account;
    private final DebianPrograms packages;

    PostgresInstall(CacheFolder cache, ServerAccount account) {
        this.cache = cache;
        this.account = account;
        packages = new DebianPrograms(cache, RECIPE);
    }

    Optional<Programs> find() {
        return packages.find().map(Programs::new).filter(Programs::complete);
    }

    /** A cluster to copy new ones from; made together with the programs. */
    Path template() {
        return cache.templates().resolve(VERSION);
    }

    /**
     * Makes the programs, and the template, if they are not there yet. Processes that do so at once wait for the first.
     *
     * @throws ServerUnavailableException if apt or the packages cannot be had
     */
    Programs findOrMake(Consumer<String> progress) {
        if (find().isPresent() && Files.isDirectory(template())) {
            return find().get();
        }
        try (FileMutex mutex = packages.lock(progress)) {
            Programs programs = new Programs(packages.findOrMakeLocked(progress));
            if (!Files.isDirectory(template())) {
                progress.accept("making an empty database cluster");
                ClusterTemplate.make(programs, account, template());
            }
            return programs;
        } catch (IOException e) {
            throw packages.failed(e);
        }
    }
}
