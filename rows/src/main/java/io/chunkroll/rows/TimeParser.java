package io.chunkroll.rows;

import java.util.Arrays;

/**
 * {@code timestamptz}, {@code timestamp} and {@code date}. The text that came last and its value are kept: in a file in time order a
 * whole fleet's rows bear the same time.
 */
final class TimeParser implements ColumnParser {
    private final TimeText time;
    private final ColumnType type;
    private byte[] lastText = {};
    private long lastValue;

    TimeParser(TimeText time, ColumnType type) {
        this.time = time;
        this.type = type;
    }

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        if (from == to || !Arrays.equals(text, from, to, lastText, 0, lastText.length)) {
            time.read(text, from, to, type == ColumnType.TIMESTAMPTZ);
            lastValue =
                    type == ColumnType.DATE ? time.postgresDays(text, from, to) : time.postgresMicros(text, from, to);
            lastText = Arrays.copyOfRange(text, from, to);
        }
        if (type == ColumnType.DATE) {
            out.putInt4((int) lastValue);
        } else {
            out.putInt8(lastValue);
        }
    }
}
