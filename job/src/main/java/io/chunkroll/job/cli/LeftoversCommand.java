package io.chunkroll.job.cli;

import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.sinks.transaction.PreparedTransaction;
import io.chunkroll.sinks.transaction.PreparedTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** What an exactly-once load that never comes back has left on the server. */
@Command(
        name = "leftovers",
        description = {
            "Lists the prepared transactions of exactly-once loads in a database, or rolls back those of one load.",
            "A load that is started again clears up after itself. One that never is leaves transactions that hold locks and keep"
                    + " the server from vacuuming.",
            "Rolling back one whose checkpoint was complete loses its rows: first go on from that checkpoint if there is one."
        },
        customSynopsis = "chunkroll leftovers [--rollback --sink.transaction-prefix NAME] [--key value]…",
        mixinStandardHelpOptions = true)
final class LeftoversCommand implements Callable<Integer> {
    @Option(names = "--rollback", description = "Roll back those of the load with this --sink.transaction-prefix.")
    private boolean rollback;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Spec
    void spec(CommandSpec spec) {
        SettingsHelp.add(spec, AllSettings.server(), false);
    }

    @Override
    public Integer call() throws SQLException {
        Settings settings = Settings.serverOfLoad(words);
        Optional<String> prefix = settings.sink().transactionPrefix();
        if (rollback && prefix.isEmpty()) {
            throw new SettingsException(List.of("--rollback needs sink.transaction-prefix, to say of which load"));
        }
        try (Target target = Target.open(settings, System.out::println);
                Connection connection = target.connect("leftovers")) {
            List<PreparedTransaction> left = prefix.isPresent()
                    ? PreparedTransactions.list(connection, prefix.get())
                    : PreparedTransactions.list(connection);
            left.forEach(LeftoversCommand::say);
            System.out.println(
                    left.isEmpty()
                            ? "No prepared transaction of a load is left."
                            : left.size() + " prepared transactions.");
            if (rollback) {
                rollBack(connection, prefix.get(), left);
            }
        }
        return 0;
    }

    private static void say(PreparedTransaction left) {
        System.out.printf(
                "%s  load %s, subtask %d, checkpoint %d, of %s, since %s%n",
                left.id().gid(),
                left.id().prefix(),
                left.id().subtask(),
                left.id().checkpoint(),
                left.owner(),
                left.prepared());
    }

    private static void rollBack(Connection connection, String prefix, List<PreparedTransaction> left)
            throws SQLException {
        List<Integer> writers = PreparedTransactions.liveWriters(connection, prefix);
        if (!writers.isEmpty()) {
            throw new SettingsException(List.of("sink.transaction-prefix " + prefix
                    + ": a load with this prefix is running" + " (backends " + writers + "), and commits them itself"));
        }
        for (PreparedTransaction transaction : left) {
            PreparedTransactions.rollBack(connection, transaction.id());
        }
        System.out.println("Rolled back " + left.size() + ".");
    }
}
