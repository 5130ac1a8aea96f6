package io.chunkroll.job.live;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.report.ChunkRoll;
import io.chunkroll.job.report.ReportException;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.run.Onlooker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs that are over and the one that goes on, for readers of any thread. Whoever watches a run feeds it; nothing here takes long or fails. */
public final class LiveRuns implements Onlooker {
    private static final Logger LOG = LoggerFactory.getLogger(LiveRuns.class);

    private final List<RunFolder> over = new ArrayList<>();
    private Path folder;
    private JsonNode summary;
    private List<TimelinePoint> points = new ArrayList<>();
    private List<ChunkRoll> rolls = List.of();
    private boolean isRunning;
    private boolean isAllOver;
    private long version;

    /**
     * All there is at a moment.
     *
     * @param version another one with each change
     * @param allOver whether nothing more is to come
     */
    record Moment(long version, List<RunFolder> runs, boolean allOver) {}

    @Override
    public synchronized void begins(Path runFolder, JsonNode soFar) {
        folder = runFolder;
        summary = soFar;
        points = new ArrayList<>();
        rolls = List.of();
        isRunning = true;
        version++;
    }

    @Override
    public synchronized void saw(TimelinePoint point, List<ChunkRoll> rollsSoFar) {
        if (isRunning) {
            points.add(point);
            rolls = rollsSoFar;
            version++;
        }
    }

    /** From now on the run is read from its folder. One without files is forgotten. */
    @Override
    public synchronized void ended() {
        if (!isRunning) {
            return;
        }
        isRunning = false;
        version++;
        try {
            over.add(RunFolder.read(folder));
        } catch (ReportException e) {
            LOG.info("The run is not shown any more: {}", e.getMessage());
        }
    }

    /** No run is to come. */
    synchronized void allOver() {
        isAllOver = true;
        version++;
    }

    synchronized Moment now() {
        List<RunFolder> runs = new ArrayList<>(over);
        if (isRunning) {
            runs.add(RunFolder.soFar(folder, summary, rolls, points));
        }
        return new Moment(version, runs, isAllOver);
    }
}
