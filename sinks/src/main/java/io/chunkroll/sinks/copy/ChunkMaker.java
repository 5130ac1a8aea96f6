package io.chunkroll.sinks.copy;

import java.sql.SQLException;

/**
 * Makes the chunks or partitions that a batch needs before it is sent, each in a short transaction of its own: the transaction that makes
 * one holds up every other writer that needs a new one, and must not be one that stays open.
 */
interface ChunkMaker {
    /** Where there are none to be made, or the server makes them on the way. */
    ChunkMaker NONE = batch -> {};

    /** On return the server has what the batch's rows need. The batch's own transaction plays no part in it. */
    void makeFor(Batch batch) throws SQLException;
}
