package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import java.io.Serializable;

/**
 * Makes a row of a stream's element, so that any stream can use the COPY sink.
 *
 * @param <T> the element's type
 */
@FunctionalInterface
public interface TupleEncoder<T> extends Serializable {

    /**
     * Encodes the element. The writer is made for the sink's table and may be used, as {@code begin}, one {@code put…} a column and
     * {@code end}, or left alone by an element that is encoded already. The sink copies the tuple before it asks for the next.
     */
    Tuple encode(T element, TupleWriter writer);
}
