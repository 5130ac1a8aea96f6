package io.chunkroll.sinks.copy;

/** Brings batches to the server, one at a time, on the writer's sending thread. */
interface Sender extends AutoCloseable {

    /**
     * Sends the batch. It may be filled anew when this returns.
     *
     * @throws CopyException if the server refuses it, or stays away for longer than the retry policy waits
     */
    void send(Batch batch) throws CopyException, InterruptedException;

    /** Breaks whatever {@link #send} waits for. Called by another thread. */
    @Override
    void close();
}
