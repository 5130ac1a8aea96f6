package io.chunkroll.sources.fleet;

import org.apache.flink.api.connector.source.SourceEvent;

/**
 * A reader tells the enumerator how far it is.
 *
 * @param step the earliest step that it still has rows of, or {@link #DONE}
 * @param wantsAnswer whether it cannot go on without a {@link SlowestStep}
 */
record ReaderProgress(long step, boolean wantsAnswer) implements SourceEvent {
    private static final long serialVersionUID = 1L;

    /** The step of a reader that has made all its rows. It holds nobody back. */
    static final long DONE = Long.MAX_VALUE;
}
