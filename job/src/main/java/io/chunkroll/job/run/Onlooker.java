package io.chunkroll.job.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.report.ChunkRoll;
import io.chunkroll.job.report.TimelinePoint;
import java.nio.file.Path;
import java.util.List;

/** Is told how a run goes on while it does, by the thread that watches the run; it must neither take long nor fail. */
public interface Onlooker {
    /** Looks at nothing. */
    Onlooker NOBODY = new Onlooker() {
        @Override
        public void begins(Path runFolder, JsonNode soFar) {}

        @Override
        public void saw(TimelinePoint point, List<ChunkRoll> rollsSoFar) {}

        @Override
        public void ended() {}
    };

    /**
     * A run begins.
     *
     * @param runFolder where its files will lie
     * @param soFar what run.json would hold now: name, settings, environment; it is not changed any more
     */
    void begins(Path runFolder, JsonNode soFar);

    /**
     * A look was taken at the run that goes on.
     *
     * @param rollsSoFar all chunks made since it began; not changed any more
     */
    void saw(TimelinePoint point, List<ChunkRoll> rollsSoFar);

    /** The run is over: its files are in its folder, or it could not even begin. */
    void ended();
}
