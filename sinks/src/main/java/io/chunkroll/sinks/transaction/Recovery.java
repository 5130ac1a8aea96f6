package io.chunkroll.sinks.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a writer does before its first row: undoes what the same load has prepared after the checkpoint from which it goes on, for those
 * rows come again. What was prepared up to that checkpoint the committer knows, and commits.
 *
 * <p>The writers divide the work by the number of the subtask, so that what a job with more subtasks left is undone as well. A backend
 * that still serves a writer of an earlier attempt is ended first; it could prepare after we looked.
 *
 * @param subtask the writer's number
 * @param parallelism the number of writers
 * @param restoredCheckpoint the checkpoint from which the job goes on; empty if it starts anew
 */
public record Recovery(int subtask, int parallelism, OptionalLong restoredCheckpoint) {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    /** Ends and undoes this writer's share of what is left of the prefix. */
    public void of(Connection connection, String prefix) throws SQLException {
        undo(connection, prefix, other -> other % parallelism == subtask);
    }

    /** Ends and undoes all that is left of a prefix under which the load ran earlier, and no writer runs any more. */
    public void ofEarlier(Connection connection, String prefix) throws SQLException {
        undo(connection, prefix, other -> true);
    }

    private void undo(Connection connection, String prefix, IntPredicate mine) throws SQLException {
        for (int pid : PreparedTransactions.liveWriters(connection, prefix, mine)) {
            LOG.warn("Ending backend {}, which serves a writer of an earlier attempt of load {}", pid, prefix);
            PreparedTransactions.end(connection, pid);
        }
        for (PreparedTransaction left : PreparedTransactions.list(connection, prefix)) {
            if (mine.test(left.id().subtask()) && left.id().isAfter(restoredCheckpoint)) {
                PreparedTransactions.rollBack(connection, left.id());
            }
        }
    }
}
