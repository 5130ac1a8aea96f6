package io.chunkroll.sources.tsbs;

import io.chunkroll.rows.BadValueException;
import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.files.BadRows;
import io.chunkroll.sources.files.Block;
import io.chunkroll.sources.files.ByteSearch;
import io.chunkroll.sources.files.Place;
import io.chunkroll.sources.files.RecordParser;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Makes tuples of pairs of lines, one after the other. Not safe for several threads. */
final class TsbsParser implements RecordParser {
    private static final byte NEWLINE = '\n';

    private final TsbsHeader header;
    private final byte[] measurement;
    private final List<String> values;
    private final int[] valueFrom;
    private final TagScanner tags;
    private final RowEncoder encoder;
    private final BadRows badRows;
    /** The line at which the next row begins, or 0 if that is not known. */
    private long line;

    // Of the row that was scanned last: its lines, without their ends. There is no second one where secondFrom is -1.
    private int firstTo;
    private int secondFrom;
    private int secondTo;
    private int lines;
    private int furtherLines;
    private int contentEnd;

    TsbsParser(TsbsHeader header, String measurement, RowEncoder encoder, BadRows badRows, long line) {
        this.header = header;
        this.measurement = (measurement + ',').getBytes(StandardCharsets.UTF_8);
        values = header.measurements().get(measurement);
        valueFrom = new int[values.size() + 2];
        tags = new TagScanner(header.tags());
        this.encoder = encoder;
        this.badRows = badRows;
        this.line = line;
    }

    @Override
    public int scan(Block block, int start) {
        byte[] bytes = block.bytes;
        int end = lineEnd(block, start);
        firstTo = content(bytes, start, end);
        contentEnd = firstTo;
        secondFrom = -1;
        lines = 1;
        furtherLines = 0;
        int next = end + 1;
        while (next < block.limit && !TsbsRowEnds.isTags(bytes, next, block.limit)) {
            end = lineEnd(block, next);
            int to = content(bytes, next, end);
            lines++;
            if (to > next) {
                contentEnd = to;
                if (secondFrom < 0) {
                    secondFrom = next;
                    secondTo = to;
                } else {
                    furtherLines++;
                }
            }
            next = end + 1;
        }
        return Math.min(next, block.limit);
    }

    private static int lineEnd(Block block, int from) {
        int newline = ByteSearch.first(block.bytes, from, block.limit, NEWLINE);
        return newline < 0 ? block.limit : newline;
    }

    private static int content(byte[] bytes, int from, int end) {
        return end > from && bytes[end - 1] == '\r' ? end - 1 : end;
    }

    @Override
    public Tuple tuple(Block block, int start) {
        Tuple tuple = encode(block, start);
        if (line > 0) {
            line += lines;
        }
        return tuple;
    }

    private Tuple encode(Block block, int start) {
        byte[] bytes = block.bytes;
        if (!TsbsRowEnds.isTags(bytes, start, firstTo)) {
            return refuse(block, start, "", "a line of tags is missing: the line does not begin with 'tags,'");
        }
        if (secondFrom < 0) {
            return refuse(block, start, "", "the line of values behind the line of tags is missing");
        }
        if (furtherLines > 0) {
            return refuse(block, start, "", (1 + furtherLines) + " lines are behind the line of tags, 1 expected");
        }
        if (!isOurs(bytes)) {
            return another(block, start);
        }
        int count = findValues(bytes);
        if (count != values.size() + 1) {
            return refuse(
                    block,
                    start,
                    "",
                    "a time and " + values.size() + " values are expected, but there are " + count + " fields");
        }
        if (!tags.scan(bytes, start, firstTo)) {
            return refuse(block, start, "", "a tag is not written as NAME=VALUE");
        }
        encoder.begin();
        try {
            putValue(bytes, 0);
            tags.put(bytes, encoder);
            for (int i = 1; i < count; i++) {
                putValue(bytes, i);
            }
            return badRows.areRejected() ? encoder.end(badRows.origin(place(block, start))) : encoder.end();
        } catch (BadValueException e) {
            return refuse(block, start, encoder.column().name(), e.getMessage());
        }
    }

    private boolean isOurs(byte[] bytes) {
        int to = secondFrom + measurement.length;
        return to <= secondTo && Arrays.equals(bytes, secondFrom, to, measurement, 0, measurement.length);
    }

    /** A row of another measurement is passed over, one of a measurement that the header does not name is bad. */
    private Tuple another(Block block, int start) {
        String text = new String(block.bytes, secondFrom, secondTo - secondFrom, StandardCharsets.UTF_8);
        String name = text.split(",", 2)[0];
        return header.measurements().containsKey(name)
                ? null
                : refuse(block, start, "", "the header names no measurement " + name);
    }

    /** Finds where the time and the values begin, and one past the last ends; returns how many there are. */
    private int findValues(byte[] bytes) {
        int count = 0;
        int at = secondFrom + measurement.length;
        while (true) {
            if (count < valueFrom.length - 1) {
                valueFrom[count] = at;
            }
            count++;
            int comma = at;
            while (comma < secondTo && bytes[comma] != ',') {
                comma++;
            }
            at = comma + 1;
            if (comma == secondTo) {
                valueFrom[Math.min(count, valueFrom.length - 1)] = at;
                return count;
            }
        }
    }

    private void putValue(byte[] bytes, int i) throws BadValueException {
        int from = valueFrom[i];
        int to = valueFrom[i + 1] - 1;
        if (from == to) {
            encoder.nullField();
        } else {
            encoder.field(bytes, from, to);
        }
    }

    private Tuple refuse(Block block, int start, String column, String reason) {
        return badRows.refuse(place(block, start), column, reason, "");
    }

    private Place place(Block block, int start) {
        return new Place(block.bytes, start, contentEnd, block.offset + start, line);
    }
}
