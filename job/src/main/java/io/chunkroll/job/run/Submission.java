package io.chunkroll.job.run;

import io.chunkroll.job.cluster.ClusterException;
import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.sources.files.SourceException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;

/** Runs a load on a cluster elsewhere: uploads the job jar, runs it, and follows the job as a run on this machine is followed. */
public final class Submission {
    private final FlinkRest rest;
    private final SubmissionSettings given;
    private final Optional<String> from;
    private final PrintStream out;

    /**
     * @param from a savepoint to go on from
     * @param out the terminal
     */
    public Submission(FlinkRest rest, SubmissionSettings given, Optional<String> from, PrintStream out) {
        this.rest = rest;
        this.given = given.hasParallelism() ? given : given.withParallelism(slots(rest, out));
        this.from = from;
        this.out = out;
    }

    private static int slots(FlinkRest rest, PrintStream out) {
        int slots = Math.max(1, rest.freeSlots());
        out.println("job.parallelism is " + slots + ", the cluster's free slots");
        return slots;
    }

    /** With every setting that has a value here. */
    public Settings settings() {
        return given.settings();
    }

    /**
     * Uploads the jar and starts the job.
     *
     * @return the job's id
     * @throws RunException if the cluster does not take it, with the job's own words if it has any
     */
    public String start(Path jar) {
        String uploaded = rest.upload(jar);
        try {
            return rest.run(uploaded, given.words(), from);
        } catch (ClusterException e) {
            throw new RunException("The job does not start: " + Failures.explainTrace(e.getMessage()), e);
        } finally {
            rest.delete(uploaded);
        }
    }

    /**
     * Starts the job and follows it to its end.
     *
     * @param folder the run folder, which is there and writable
     * @param stop tells when the user has had enough
     * @param onlooker is told how it goes on
     */
    public RunResult run(Path jar, Path folder, StopRequest stop, Onlooker onlooker)
            throws IOException, SQLException, InterruptedException {
        try (Target target = Target.ofCluster(settings(), out::println)) {
            Optional<TargetTable> table = table(target);
            Optional<DatabaseProbe> probe = table.map(found -> new DatabaseProbe(target.server(), found));
            try {
                OptionalLong before =
                        probe.isPresent() ? OptionalLong.of(probe.get().begin()) : OptionalLong.empty();
                Watched watched = new Watched(target, new Subject(settings(), table), probe, before);
                return run(jar, folder, stop, watched, onlooker);
            } finally {
                probe.ifPresent(DatabaseProbe::close);
            }
        }
    }

    private record Watched(Target target, Subject subject, Optional<DatabaseProbe> probe, OptionalLong rowsBefore) {}

    private RunResult run(Path jar, Path folder, StopRequest stop, Watched watched, Onlooker onlooker)
            throws IOException, SQLException, InterruptedException {
        Map<String, String> configuration = rest.configuration();
        OptionalLong rejectedBefore = ClusterRejects.published(settings());
        String id = start(jar);
        out.println("Job " + id + " runs on " + rest.address());
        RestMetrics metrics = new RestMetrics(rest, id, kind(watched.subject()));
        Duration interval = Configuration.fromMap(configuration).get(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL);
        try (ClusterJob job = new ClusterJob(rest, id, metrics, interval, savepoints(configuration))) {
            Watch.Scene scene = new Watch.Scene(
                    watched.subject(),
                    watched.subject().name(),
                    watched.probe(),
                    watched.rowsBefore(),
                    watched.target(),
                    ClusterRejects.of(settings(), metrics, rejectedBefore),
                    facts(id));
            RunResult result = new Watch(scene, job, out, stop, onlooker).follow(folder, Optional.empty(), () -> {});
            job.savepoint().ifPresent(path -> out.println("Savepoint: " + path + " (go on with --from " + path + ")"));
            return result;
        }
    }

    private RestMetrics.Kind kind(Subject subject) {
        Settings settings = subject.settings();
        return new RestMetrics.Kind(
                from.isPresent(),
                settings.sink().transactionPrefix().isPresent(),
                settings.job().map().isPresent() || settings.sink().where().isPresent(),
                settings.source().mostRejects().isPresent(),
                from.isPresent() ? OptionalLong.empty() : subject.expectedRows());
    }

    /** As the cluster will find it: made here, unless only the cluster can see the files that tell what it is like. */
    private Optional<TargetTable> table(Target target) throws SQLException {
        if (target.connection().isEmpty() || settings().sink().kind() == SinkKind.DISCARD) {
            return Optional.empty();
        }
        try {
            return Load.into(settings(), target.server()).table();
        } catch (SourceException e) {
            out.println("The files are not looked at from here. " + e.getMessage());
        }
        try (Connection connection = target.connect("setup")) {
            return TargetTable.read(
                    connection, TableName.parse(settings().sink().table()));
        }
    }

    private Map<String, String> facts(String id) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("flink", rest.version());
        facts.put("cluster", rest.address().toString());
        facts.put("job_id", id);
        from.ifPresent(path -> facts.put("from", path));
        return facts;
    }

    /** Where the cluster itself puts savepoints, or else where all its machines have their checkpoints. */
    private static Optional<String> savepoints(Map<String, String> configuration) {
        Configuration flink = Configuration.fromMap(configuration);
        return flink.getOptional(CheckpointingOptions.SAVEPOINT_DIRECTORY)
                .or(() -> flink.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY));
    }
}
