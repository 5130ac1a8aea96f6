package io.chunkroll.job.cli;

import io.chunkroll.server.PostgresServer;
import io.chunkroll.server.ServerStatus;
import io.chunkroll.server.SharedServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** The embedded server by hand. */
@Command(
        name = "db",
        description = "The embedded PostgreSQL 17 with TimescaleDB. Runs start and stop it by themselves.",
        subcommands = DbCommand.Psql.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "start|stop|status|url|psql|reset")
final class DbCommand implements Runnable {
    private static final int NOT_RUNNING = 1;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say what: start, stop, status, url, psql or reset");
    }

    @Command(name = "start", description = "Starts it to stay until 'db stop'.", mixinStandardHelpOptions = true)
    int start() {
        SharedServer server = SharedServer.ofUser();
        server.start(Map.of(), System.out::println);
        System.out.println(server.url().orElse(""));
        return 0;
    }

    @Command(name = "stop", description = "Stops it.", mixinStandardHelpOptions = true)
    int stop(@Option(names = "--force", description = "Also while runs use it.") boolean force) {
        SharedServer.ofUser().stop(force);
        System.out.println("The embedded server is stopped.");
        return 0;
    }

    @Command(
            name = "status",
            description = "Says what is known of it; exit 1 if it does not run.",
            mixinStandardHelpOptions = true)
    int status() {
        ServerStatus status = SharedServer.ofUser().status();
        System.out.println(status.running() ? "running" + (status.keepsRunning() ? ", to stay" : "") : "not running");
        status.url().ifPresent(url -> System.out.println("url          " + url));
        status.postgresVersion().ifPresent(version -> System.out.println("PostgreSQL   " + version));
        status.timescaleVersion().ifPresent(version -> System.out.println("TimescaleDB  " + version));
        status.pid().ifPresent(pid -> System.out.println("pid          " + pid));
        status.uptime().ifPresent(uptime -> System.out.println("up for       " + uptime.toSeconds() + " s"));
        System.out.println("data         " + status.dataFolder());
        status.bytes().ifPresent(bytes -> System.out.printf(Locale.ROOT, "size         %,d MB%n", bytes / 1_000_000));
        System.out.println("password in  " + status.passwordFile());
        if (!status.users().isEmpty()) {
            System.out.println("used by      " + status.users());
        }
        return status.running() ? 0 : NOT_RUNNING;
    }

    @Command(
            name = "url",
            description = "Prints its JDBC URL; exit 1 if it does not run.",
            mixinStandardHelpOptions = true)
    int url() {
        var url = SharedServer.ofUser().url();
        System.out.println(url.orElse("The embedded server does not run: chunkroll db start"));
        return url.isPresent() ? 0 : NOT_RUNNING;
    }

    @Command(
            name = "reset",
            description = "Deletes its data and makes an empty database.",
            mixinStandardHelpOptions = true)
    int reset(@Option(names = "--force", description = "Also while runs use it.") boolean force) {
        SharedServer.ofUser().reset(force, System.out::println);
        System.out.println("The embedded server's database is empty.");
        return 0;
    }

    /** A command of its own because it passes on words that it does not know. */
    @Command(
            name = "psql",
            description = "Opens psql on its database; further words go to psql.",
            customSynopsis = "chunkroll db psql [ARGUMENT OF PSQL]…",
            mixinStandardHelpOptions = true)
    static final class Psql implements Callable<Integer> {
        @Unmatched
        private List<String> words = new ArrayList<>();

        @Override
        public Integer call() throws IOException, InterruptedException {
            try (PostgresServer server = PostgresServer.joinShared(Map.of(), System.err::println)) {
                return server.psql(words).inheritIO().start().waitFor();
            }
        }
    }
}
