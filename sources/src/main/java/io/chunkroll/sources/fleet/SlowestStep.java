package io.chunkroll.sources.fleet;

import org.apache.flink.api.connector.source.SourceEvent;

/**
 * The enumerator tells a reader how far the slowest reader is.
 *
 * @param step the slowest reader's step; {@link ReaderProgress#DONE} only in the last event to a reader that is done itself
 */
record SlowestStep(long step) implements SourceEvent {
    private static final long serialVersionUID = 1L;
}
