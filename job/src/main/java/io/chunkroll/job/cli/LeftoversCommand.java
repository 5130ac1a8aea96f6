package io.chunkroll.job.cli;

import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.sinks.table.BulkLeftovers;
import io.chunkroll.sinks.table.BulkLoad;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
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

/** What a load that never comes back has left on the server. */
@Command(
        name = "leftovers",
        description = {
            "Lists what loads that were broken off have left in a database, and clears it up.",
            "A bulk load leaves a table without its indexes, or partitions that are not attached: --finish keeps the rows that are"
                    + " there and builds what is missing, --discard removes them.",
            "An exactly-once load leaves prepared transactions: --rollback rolls back those of one load. A load that is started again clears up after itself. One that never is leaves transactions that hold locks and keep"
                    + " the server from vacuuming.",
            "Rolling back one whose checkpoint was complete loses its rows: first go on from that checkpoint if there is one."
        },
        customSynopsis =
                "chunkroll leftovers [--finish | --discard --sink.table NAME] [--rollback --sink.transaction-prefix"
                        + " NAME] [--key value]…",
        mixinStandardHelpOptions = true)
final class LeftoversCommand implements Callable<Integer> {
    @Option(names = "--rollback", description = "Roll back those of the load with this --sink.transaction-prefix.")
    private boolean rollback;

    @Option(names = "--finish", description = "Finish the bulk load into --sink.table with the rows that are there.")
    private boolean finish;

    @Option(names = "--discard", description = "Remove the rows of the bulk load into --sink.table.")
    private boolean discard;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Spec
    void spec(CommandSpec spec) {
        SettingsHelp.add(spec, AllSettings.server(), false);
    }

    @Override
    public Integer call() throws SQLException, InterruptedException {
        Settings settings = Settings.serverOfLoad(words);
        Optional<String> prefix = settings.sink().transactionPrefix();
        if (rollback && prefix.isEmpty()) {
            throw new SettingsException(List.of("--rollback needs sink.transaction-prefix, to say of which load"));
        }
        if ((finish || discard) && (finish == discard || !settings.texts().containsKey(AllSettings.TABLE.key()))) {
            throw new SettingsException(
                    List.of("--finish and --discard, one of them, need sink.table, to say of which load"));
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
            List<String> bulk = BulkLeftovers.list(connection);
            bulk.forEach(System.out::println);
            if (finish || discard) {
                endBulkLoad(settings, target, connection);
            }
            if (rollback) {
                rollBack(connection, prefix.get(), left);
            }
        }
        return 0;
    }

    private void endBulkLoad(Settings settings, Target target, Connection connection)
            throws SQLException, InterruptedException {
        TargetTable table = TargetTable.read(
                        connection, TableName.parse(settings.sink().table()))
                .orElseThrow(() -> new TargetException(
                        "There is no table " + settings.sink().table() + " (sink.table)"));
        try (BulkLoad load = BulkLoad.resume(target.server(), table)) {
            BulkLoad.Finished done = discard
                    ? load.discard()
                    : load.finish(settings.job().parallelism(), settings.sink().indexMemory());
            System.out.println(
                    discard
                            ? "The rows of the bulk load into table " + table.name() + " are removed."
                            : "The bulk load into table " + table.name() + " is finished: " + done.indexes()
                                    + " indexes built, " + done.partitions() + " partitions indexed and attached.");
        }
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
