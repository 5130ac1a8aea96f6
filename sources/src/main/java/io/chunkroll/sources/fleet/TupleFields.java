package io.chunkroll.sources.fleet;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;

/** Shows rows as tuples. */
abstract class TupleFields implements FieldWriter {
    final TupleWriter writer;
    private Tuple tuple;

    private TupleFields(TableDescription table) {
        writer = new TupleWriter(table);
    }

    /** For rows of this table, whose values travel in the form that the table asks for, binary or text. */
    static TupleFields of(TableDescription table) {
        return table.isBinary() ? new Binary(table) : new Text(table);
    }

    /** The row that was ended last; good until the next begins. */
    final Tuple tuple() {
        return tuple;
    }

    @Override
    public final void begin() {
        writer.begin();
    }

    @Override
    public final void text(byte[] utf8, int length) {
        writer.putBytes(utf8, 0, length);
    }

    @Override
    public final void nullField() {
        writer.putNull();
    }

    @Override
    public final void end() {
        tuple = writer.end();
    }

    private static final class Binary extends TupleFields {

        Binary(TableDescription table) {
            super(table);
        }

        @Override
        public void timestamp(long unixMicros) {
            writer.putTimestamp(unixMicros);
        }

        @Override
        public void timestampWithoutZone(long unixMicros) {
            writer.putTimestamp(unixMicros);
        }

        @Override
        public void int4(int value) {
            writer.putInt4(value);
        }

        @Override
        public void float4(int units) {
            writer.putFloat4(FixedPoint.toFloat(units));
        }

        @Override
        public void fixedPoint(long units) {
            writer.putFloat8(FixedPoint.toDouble(units));
        }

        @Override
        public void wholeNumber(int value) {
            writer.putFloat8(value);
        }

        @Override
        public void numeric(long units, int scale) {
            writer.putNumeric(units, scale);
        }

        @Override
        public void json(byte[] utf8, int length) {
            writer.putJsonb(utf8, 0, length);
        }

        @Override
        public void array(byte[] ascii, int length) {
            throw new IllegalStateException("An array has no binary form here: a table with one is loaded as text");
        }
    }

    /** Each value is its text, and the row's time is told on the side. */
    private static final class Text extends TupleFields {
        private final byte[] value = new byte[ValueText.LONGEST];

        Text(TableDescription table) {
            super(table);
        }

        @Override
        public void timestamp(long unixMicros) {
            writer.noteTime(unixMicros);
            byte[] text = ValueText.time(unixMicros);
            writer.putBytes(text, 0, text.length);
        }

        @Override
        public void timestampWithoutZone(long unixMicros) {
            writer.noteTime(unixMicros);
            byte[] text = ValueText.timeWithoutZone(unixMicros);
            writer.putBytes(text, 0, text.length);
        }

        @Override
        public void int4(int number) {
            put(Decimals.putSigned(value, 0, number));
        }

        @Override
        public void float4(int units) {
            put(ValueText.putFloat(value, 0, units));
        }

        @Override
        public void fixedPoint(long units) {
            put(ValueText.putFixedPoint(value, 0, units));
        }

        @Override
        public void wholeNumber(int number) {
            int4(number);
        }

        @Override
        public void numeric(long units, int scale) {
            put(ValueText.putNumeric(value, 0, units, scale));
        }

        @Override
        public void json(byte[] utf8, int length) {
            writer.putBytes(utf8, 0, length);
        }

        @Override
        public void array(byte[] ascii, int length) {
            writer.putBytes(ascii, 0, length);
        }

        private void put(int length) {
            writer.putBytes(value, 0, length);
        }
    }
}
