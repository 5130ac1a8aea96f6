package io.chunkroll.sinks.copy;

import java.io.IOException;

/** Brings batches to the server, one at a time, on the writer's sending thread. */
interface Sender extends AutoCloseable {

    /**
     * Sends the batch, and tells what became of it. It may be filled anew when this returns.
     *
     * @throws IOException if the server refuses it, or stays away for longer than the retry policy waits
     */
    Loaded send(Batch batch) throws IOException, InterruptedException;

    /** No more batches will come. */
    void ended();

    /** Breaks whatever {@link #send} waits for. Called by another thread. */
    @Override
    void close();
}
