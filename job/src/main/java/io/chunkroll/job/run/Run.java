package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.sinks.reject.RejectFolder;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.BulkLoad;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** One load on this machine: starts the job, watches it to its end, writes the run folder. */
public final class Run {
    private final Settings settings;
    private final Target target;
    private final Path folder;
    private final RejectOptions rejectOptions;
    private final RejectFolder rejects;
    private final String name;
    private final PrintStream out;
    private final StopRequest stop;
    private final Onlooker onlooker;
    private final Leftovers leftovers;

    /**
     * @param target the server, which stays open
     * @param folder the run folder, which is there and writable
     * @param name what the run is called in its files, or empty for one made of table and layout
     * @param out the terminal
     * @param stop tells when the user has had enough
     * @param onlooker is told how it goes on
     */
    public Run(
            Settings settings,
            Target target,
            Path folder,
            Optional<String> name,
            PrintStream out,
            StopRequest stop,
            Onlooker onlooker) {
        this.settings = settings;
        this.target = target;
        this.folder = folder;
        rejectOptions = RejectPlace.ofRun(settings, folder);
        rejects = new RejectFolder(rejectOptions);
        this.name = name.orElse("");
        this.out = out;
        this.stop = stop;
        this.onlooker = onlooker;
        leftovers = new Leftovers(target, settings.sink().transactionPrefix());
    }

    /**
     * Runs the load to its end. A job that fails is a result, not an exception: its folder tells why.
     *
     * @throws RuntimeException if the load cannot even be started; there is then no run
     */
    public RunResult execute() throws IOException, SQLException, InterruptedException {
        Optional<ConnectionOptions> server = target.connection();
        leftovers.clearBefore();
        Load load = server.isPresent() ? Load.into(settings, server.get()) : Load.discarding(settings);
        Optional<DatabaseProbe> probe =
                server.map(options -> new DatabaseProbe(options, load.table().orElseThrow()));
        try {
            return execute(load, probe);
        } finally {
            probe.ifPresent(DatabaseProbe::close);
        }
    }

    private RunResult execute(Load load, Optional<DatabaseProbe> probe)
            throws IOException, SQLException, InterruptedException {
        Optional<BulkLoad> bulk = load.beginBulk(target.connection());
        try {
            return execute(load, probe, bulk);
        } finally {
            bulk.ifPresent(BulkLoad::close);
        }
    }

    private RunResult execute(Load load, Optional<DatabaseProbe> probe, Optional<BulkLoad> bulk)
            throws IOException, SQLException, InterruptedException {
        String title = name.isEmpty() ? load.subject().name() : name;
        OptionalLong rowsBefore =
                probe.isPresent() ? OptionalLong.of(probe.get().begin()) : OptionalLong.empty();
        Rejects told = Rejects.in(rejects, RejectPlace.shown(settings, folder));
        Watch.Scene scene = new Watch.Scene(load.subject(), title, probe, rowsBefore, target, told, Map.of());
        try (LocalJob job = LocalJob.start(load, target.connection(), folder, rejectOptions, title)) {
            return new Watch(scene, job, out, stop, onlooker).follow(folder, bulk, () -> {
                leftovers.clearAfter();
                rejects.reveal();
            });
        }
    }
}
