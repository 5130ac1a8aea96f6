package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.TableName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What messages call the batches of one writer. */
record BatchNames(TableName table, int subtask) {

    String of(Batch batch) {
        String times = batch.minTime() > batch.maxTime()
                ? ""
                : ", times " + instant(batch.minTime()) + " to " + instant(batch.maxTime());
        return "batch " + batch.number() + " of subtask " + subtask + " into table " + table + " (" + batch.rows()
                + " rows, " + batch.size() + " bytes" + times + ")";
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
