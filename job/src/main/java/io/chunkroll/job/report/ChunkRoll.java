package io.chunkroll.job.report;

import java.time.Instant;

/**
 * The moment a chunk was made.
 *
 * @param time when
 * @param elapsedSeconds the same moment, from the start of the run
 * @param chunk its name, or empty
 * @param rangeStart the first time it takes, as run.json has it, or empty
 * @param rangeEnd the end of its range, exclusive, or empty
 */
public record ChunkRoll(Instant time, double elapsedSeconds, String chunk, String rangeStart, String rangeEnd) {}
