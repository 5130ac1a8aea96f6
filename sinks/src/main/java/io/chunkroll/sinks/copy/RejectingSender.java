package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import io.chunkroll.rows.RowText;
import io.chunkroll.sinks.reject.RejectLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Tells of the rows that another sender's batches left out because the server refuses them. */
final class RejectingSender implements Sender {
    private final Sender sender;
    private final RejectLog log;
    private final RowText text;

    /** @param text shows rows that do not tell where they came from */
    RejectingSender(Sender sender, RejectLog log, RowText text) {
        this.sender = sender;
        this.log = log;
        this.text = text;
    }

    @Override
    public Loaded send(Batch batch) throws IOException, InterruptedException {
        Loaded loaded = sender.send(batch);
        for (RefusedRow refused : loaded.refused()) {
            Origin origin = batch.origin(refused.row()).orElseGet(() -> ofNoFile(batch, refused.row()));
            log.add(new Reject(origin, refused.column(), refused.reason()));
        }
        return loaded;
    }

    private Origin ofNoFile(Batch batch, int row) {
        return Origin.ofNoFile(text.of(batch.bytes(), batch.start(row)).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void ended() {
        sender.ended();
    }

    @Override
    public void close() {
        sender.close();
    }
}
