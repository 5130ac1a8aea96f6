package io.chunkroll.sources.fleet;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;

/** Shows rows as tuples. */
final class TupleFields implements FieldWriter {
    private final TupleWriter writer;
    private Tuple tuple;

    TupleFields(TableDescription table) {
        writer = new TupleWriter(table);
    }

    /** The row that was ended last; good until the next begins. */
    Tuple tuple() {
        return tuple;
    }

    @Override
    public void begin() {
        writer.begin();
    }

    @Override
    public void timestamp(long unixMicros) {
        writer.putTimestamp(unixMicros);
    }

    @Override
    public void text(byte[] utf8, int length) {
        writer.putBytes(utf8, 0, length);
    }

    @Override
    public void fixedPoint(long units) {
        writer.putFloat8(FixedPoint.toDouble(units));
    }

    @Override
    public void end() {
        tuple = writer.end();
    }
}
