package io.chunkroll.server;

/** Waiting for what can only be asked again. */
final class Pause {
    private Pause() {}

    static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException("interrupted while waiting for the server", e);
        }
    }
}
