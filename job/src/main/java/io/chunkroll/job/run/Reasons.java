package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.server.ServerUsage;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Why figures of a run are null, in words for its report. Each is the reason in case the figure is.
 *
 * @param layout the table's; empty where rows are discarded or the server cannot be reached from here
 * @param noCpuTime why the server's CPU time cannot be seen
 * @param noDiskWrites why its writes cannot be seen
 * @param failedLook tells what the server said to the last look at it that failed, if one did
 */
record Reasons(
        Settings settings,
        Optional<Layout> layout,
        String noCpuTime,
        String noDiskWrites,
        Supplier<Optional<String>> failedLook) {
    static final String NO_COMMIT = "no batch was committed";
    static final String NO_SUBTASK = "no subtask of the sink began";
    static final String NO_NEW_PARTITIONS = "no new native partitions were loaded";
    private static final String NO_CLIENT_TIME = "the job ran in processes of a cluster, which serve other jobs, too";
    static final String MADE_BEFORE =
            "PostgreSQL does not note when a partition is made; those that were there before the run have no time";
    static final String TOO_SHORT = "the load was too short to tell how its rate changed";
    static final String NO_LONG_CHUNK = "no full chunk took long enough to tell its rate at start and end";
    static final String NO_FIT = "no full chunk that another followed took long enough for a fit";
    static final String NO_RECOVERY =
            "no full chunk took long enough to tell its rate at the end, or none after it to tell its rate at the start";
    static final String NO_WHOLE_CHUNK = "no chunk was filled from its begin until the next one's";
    private static final String NO_TABLE = "rows were discarded (sink.kind discard): there is no table and no server";
    private static final String UNREACHED =
            "the server of sink.url could not be reached from the machine of this command";
    private static final String ELSEWHERE =
            "the server is not the embedded one (sink.url is set), and what its processes take is not seen from here";
    private static final String NOT_TOLD = "the server did not tell";

    static Reasons of(
            Settings settings,
            Optional<Layout> layout,
            Optional<ServerUsage> usage,
            Supplier<Optional<String>> failedLook) {
        return new Reasons(
                settings,
                layout,
                usage.map(ServerUsage::whyNoCpuTime).orElse(elsewhere(settings)),
                usage.map(ServerUsage::whyNoDiskWrites).orElse(elsewhere(settings)),
                failedLook);
    }

    private static String elsewhere(Settings settings) {
        return settings.sink().kind() == SinkKind.DISCARD ? NO_TABLE : ELSEWHERE;
    }

    private String noTable() {
        return sink() == SinkKind.DISCARD ? NO_TABLE : UNREACHED;
    }

    private SinkKind sink() {
        return settings.sink().kind();
    }

    /** Of rows inserted, skipped and replaced. */
    String conflicts() {
        if (sink() == SinkKind.DISCARD) {
            return NO_TABLE;
        }
        return settings.sink().onConflict() == OnConflict.ERROR
                ? "with sink.on-conflict error every row committed is inserted, or else the run fails"
                : "Flink's JDBC sink does not tell what became of a row";
    }

    /** Of the table's count. */
    String count() {
        return layout.isEmpty() ? noTable() : "the table could not be counted, see failure";
    }

    String flushes() {
        return sink() == SinkKind.DISCARD ? "rows were discarded, not sent (sink.kind discard)" : NO_COMMIT;
    }

    /** Of the building of indexes. */
    String indexes() {
        return settings.sink().load() == Settings.Load.BULK
                ? "the load did not come so far as to build indexes"
                : "indexes were there while rows came (sink.load live)";
    }

    String retries() {
        return sink() == SinkKind.DISCARD ? NO_TABLE : "Flink's JDBC sink does not count them";
    }

    String chunks() {
        if (layout.isPresent() && layout.get() == Layout.PLAIN) {
            return "a plain table has no chunks";
        }
        return table();
    }

    /** Of the sawtooth where no chunk followed on another. */
    String sawtooth() {
        boolean chunked = layout.isPresent() && layout.get() != Layout.PLAIN;
        return chunked
                ? "no new chunk was begun while rows were loaded, or all of them within a second: more rows or a shorter"
                        + " sink.chunk-interval bring rolls"
                : chunks();
    }

    /** Of the write-ahead log. */
    String log() {
        return layout.isEmpty()
                ? noTable()
                : failedLook.get().orElse("the server is a standby, or was one when the load began");
    }

    /** Of the table itself and its sizes. */
    String table() {
        return layout.isEmpty() ? noTable() : failedLook.get().orElse(NOT_TOLD);
    }

    String cpuTime() {
        return noCpuTime;
    }

    /** Of the CPU time that Flink took. */
    String clientTime() {
        return NO_CLIENT_TIME;
    }

    String diskWrites() {
        return noDiskWrites;
    }

    /**
     * Why the server is not watched after the load; empty where it is to be.
     *
     * @param finished whether all rows are settled
     * @param stopped whether the user ended the load
     * @param seen whether the server's CPU time was seen at the load's end
     */
    Optional<String> unwatched(boolean finished, boolean stopped, boolean seen) {
        if (layout.isEmpty()) {
            return Optional.of(noTable());
        }
        if (settings.watchAfter().isZero()) {
            return Optional.of("the server was not watched after the load (run.watch-after is 0 s)");
        }
        if (!seen) {
            return Optional.of(noCpuTime);
        }
        if (stopped) {
            return Optional.of("the load was stopped, and the server not watched after it");
        }
        return finished ? Optional.empty() : Optional.of("the load failed, and the server was not watched after it");
    }
}
