package io.chunkroll.sinks.copy;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.reject.RejectLog;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.reject.RejectingWriter;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Loads a stream into a PostgreSQL table by COPY: each subtask over a connection of its own, each batch one COPY in one transaction.
 *
 * <p>At-least-once: before a checkpoint passes, all rows that came before it are committed. A lost connection, a deadlock or a restart of
 * the server loses and doubles nothing, for the batch stays here until it is known to be committed; docs/decisions/commit-fate.md
 * tells the one crash of the server that could pass for a commit. If the job itself fails, it goes on from its last checkpoint, and the
 * rows committed since come a second time.
 *
 * @param <T> the stream's type: {@link Tuple}, or any other with a {@link TupleEncoder}
 */
public final class CopySink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    private final CopySetup<T> setup;

    /**
     * @param options connection, batches, retries
     * @param table the table, as {@link TargetTable#read} found it
     * @param columns those that are loaded, in the order of the tuples
     * @param encoder makes tuples of the stream's elements
     */
    public CopySink(CopyOptions options, TargetTable table, TableDescription columns, TupleEncoder<T> encoder) {
        this(new CopySetup<>(options, table, columns, encoder, RowPolicy.STRICT));
    }

    private CopySink(CopySetup<T> setup) {
        this.setup = setup;
    }

    /** A sink for a stream of tuples, which are encoded already. */
    public static CopySink<Tuple> ofTuples(CopyOptions options, TargetTable table, TableDescription columns) {
        return new CopySink<>(options, table, columns, (tuple, writer) -> tuple);
    }

    /**
     * The same sink with another way with rows whose unique key is there already, which it by itself leaves to the server to refuse. Rows
     * that are skipped or replaced go through a temporary table, and each is in the table once whatever happens to the job.
     */
    public CopySink<T> onConflict(Conflicts other) {
        return new CopySink<>(setup.with(setup.policy().onConflict(other)));
    }

    /** The same sink, of whose rows the server leaves out those that do not pass. */
    public CopySink<T> where(CopyFilter filter) {
        return new CopySink<>(setup.with(setup.policy().where(filter)));
    }

    /**
     * The same sink, which leaves out rows that could not be read or that the server refuses, and tells of each.
     *
     * @param rejects where it does; null to let them fail the job
     */
    public CopySink<T> rejecting(RejectOptions rejects) {
        return new CopySink<>(setup.with(setup.policy().rejecting(rejects)));
    }

    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) throws IOException {
        CopyConnection connection =
                new CopyConnection(setup.options().connection(), "copy " + CopySetup.subtask(context));
        BatchSender sender = new BatchSender(
                new CopyChannel(connection, setup.load()),
                setup.retries(),
                setup.metrics(context),
                setup.names(context));
        // Rejects are published before the checkpoint, so that what an earlier attempt left hidden comes again.
        Optional<RejectLog> log = setup.log(context, OptionalLong.empty());
        CopyWriter<T> writer = setup.writer(setup.telling(log, sender), context, null);
        return log.isPresent() ? new RejectingWriter<>(writer, log.get()) : writer;
    }
}
