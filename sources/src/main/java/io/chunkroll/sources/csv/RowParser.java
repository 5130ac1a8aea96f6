package io.chunkroll.sources.csv;

import io.chunkroll.rows.BadValueException;
import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.files.Block;
import io.chunkroll.sources.files.Place;
import io.chunkroll.sources.files.RecordParser;

/** Makes tuples of a file's rows, one after the other. Not safe for several threads. */
final class RowParser implements RecordParser {
    private final RowScanner row;
    private final RowEncoder encoder;
    private final FileLayout layout;
    private final int[] fieldOfColumn;
    private final CsvBadRows badRows;
    private final boolean tellsOrigins;
    private byte[] unescaped = new byte[256];
    /** The line at which the next row begins, or 0 if that is not known. */
    private long line;

    /** @param line the line at which the first row begins, or 0 if that is not known */
    RowParser(RowScanner row, RowEncoder encoder, FileLayout layout, CsvBadRows badRows, long line) {
        this.row = row;
        this.encoder = encoder;
        this.layout = layout;
        fieldOfColumn = layout.fieldOfColumn();
        this.badRows = badRows;
        tellsOrigins = badRows.areRejected();
        this.line = line;
    }

    @Override
    public int scan(Block block, int start) {
        return Math.min(row.scan(block.bytes, start, block.limit), block.limit);
    }

    @Override
    public Tuple tuple(Block block, int start) {
        Tuple tuple = encode(block, start);
        if (line > 0) {
            line += 1 + row.innerNewlines();
        }
        return tuple;
    }

    private Tuple encode(Block block, int start) {
        if (row.fault() != RowScanner.Fault.NONE) {
            return badRows.openQuote(row.fault(), place(block, start));
        }
        if (row.count() != layout.fields()) {
            return wrongCount(block, start);
        }
        encoder.begin();
        try {
            for (int field : fieldOfColumn) {
                put(block.bytes, field);
            }
            return tellsOrigins ? encoder.end(badRows.origin(place(block, start))) : encoder.end();
        } catch (BadValueException e) {
            return badRows.refuse(place(block, start), encoder.column().name(), e.getMessage());
        }
    }

    private void put(byte[] bytes, int field) throws BadValueException {
        int from = row.from(field);
        int to = row.to(field);
        switch (row.kind(field)) {
            case RowScanner.PLAIN -> {
                if (row.isNull(bytes, field)) {
                    encoder.nullField();
                } else {
                    encoder.field(bytes, from, to);
                }
            }
            case RowScanner.QUOTED -> encoder.field(bytes, from, to);
            default -> {
                if (unescaped.length < to - from) {
                    unescaped = new byte[to - from];
                }
                encoder.field(unescaped, 0, row.unescape(bytes, field, unescaped));
            }
        }
    }

    /** PostgreSQL's words, and the count. */
    private Tuple wrongCount(Block block, int start) {
        Place place = place(block, start);
        int count = row.count();
        if (count > layout.fields()) {
            return badRows.refuse(
                    place,
                    "",
                    "extra data after last expected column: " + count + " fields, " + layout.fields() + " expected");
        }
        boolean empty = count == 1 && place.to() == place.from();
        String have = empty ? "the line is empty" : count + " of " + layout.fields() + " fields";
        String missing = layout.nameOfField(empty ? 0 : count);
        return badRows.refuse(place, missing, "missing data for column \"" + missing + "\": " + have);
    }

    private Place place(Block block, int start) {
        return new Place(block.bytes, start, row.contentEnd(), block.offset + start, line);
    }
}
