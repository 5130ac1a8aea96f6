package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import io.chunkroll.rows.RowText;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.reject.RejectLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Tells of rows that were left out of a batch because the server refuses them. */
final class RefusedRows {
    private final RejectLog log;
    private final RowText text;

    RefusedRows(RejectLog log, TableDescription columns) {
        this.log = log;
        text = new RowText(columns);
    }

    void note(Batch batch, Loaded loaded) throws IOException {
        for (RefusedRow refused : loaded.refused()) {
            Origin origin = batch.origin(refused.row()).orElseGet(() -> ofNoFile(batch, refused.row()));
            log.add(new Reject(origin, refused.column(), refused.reason()));
        }
    }

    private Origin ofNoFile(Batch batch, int row) {
        return Origin.ofNoFile(text.of(batch.bytes(), batch.start(row)).getBytes(StandardCharsets.UTF_8));
    }
}
