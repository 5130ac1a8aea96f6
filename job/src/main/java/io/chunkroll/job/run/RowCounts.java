package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.sinks.table.OnConflict;
import java.util.OptionalLong;

/**
 * What became of the rows that were committed. What a sink does not count is empty.
 *
 * @param written all of them
 * @param inserted those that are new in the table; empty where every row is, or else the run fails
 * @param skipped those left out, because their key was there already
 * @param replaced those that took the place of another
 */
record RowCounts(long written, OptionalLong inserted, OptionalLong skipped, OptionalLong replaced) {

    static RowCounts of(Settings.Sink sink, JobMetrics metrics) {
        long written = metrics.rowsWritten();
        if (sink.onConflict() == OnConflict.ERROR || sink.kind() != SinkKind.COPY) {
            return new RowCounts(written, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        }
        long skipped = metrics.rowsSkipped();
        long replaced = metrics.rowsReplaced();
        return new RowCounts(
                written,
                OptionalLong.of(written - skipped - replaced),
                OptionalLong.of(skipped),
                OptionalLong.of(replaced));
    }

    /** How many rows the table must have more than before; empty where that is not known. */
    OptionalLong gained(OnConflict mode) {
        return mode == OnConflict.ERROR ? OptionalLong.of(written) : inserted;
    }
}
