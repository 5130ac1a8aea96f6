package io.chunkroll.sources.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks gzip (RFC 1952), all members of a file one after the other. The JDK's own stream takes a further member whose header is damaged
 * for the file's end, and so loses its rows without a word; here, whatever follows a member and is none is an error.
 */
public final class GzipMembers extends InputStream {
    private static final int DEFLATE = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    private final InputStream in;
    private final byte[] packed;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private int from;
    private int to;
    private boolean inMember;
    private int members;

    GzipMembers(InputStream in, int bufferBytes) {
        this.in = in;
        packed = new byte[bufferBytes];
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (inMember || beginMember()) {
            int count = inflate(into, offset, length);
            if (count > 0) {
                crc.update(into, offset, count);
                return count;
            }
            if (inflater.finished()) {
                endMember();
            } else {
                feed();
            }
        }
        return -1;
    }

    private int inflate(byte[] into, int offset, int length) throws ZipException {
        try {
            return inflater.inflate(into, offset, length);
        } catch (DataFormatException e) {
            throw new ZipException("damaged: " + e.getMessage());
        }
    }

    private void feed() throws IOException {
        if (from == to && !fill()) {
            throw new EOFException("it ends in the middle");
        }
        inflater.setInput(packed, from, to - from);
        from = to;
    }

    /** Whether there was anything left. */
    private boolean fill() throws IOException {
        int read = in.read(packed, 0, packed.length);
        from = 0;
        to = Math.max(0, read);
        return read > 0;
    }

    private int next() throws IOException {
        if (from == to && !fill()) {
            throw new EOFException("it ends in the middle");
        }
        return packed[from++] & 0xFF;
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            next();
        }
    }

    private void skipText() throws IOException {
        int read = next();
        while (read != 0) {
            read = next();
        }
    }

    private boolean beginMember() throws IOException {
        if (from == to && !fill()) {
            return false;
        }
        if (next() != 0x1F || next() != 0x8B || next() != DEFLATE) {
            throw new ZipException(
                    "damaged: what follows its member " + members + " is neither another member nor the end");
        }
        int flags = next();
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip(next() + (next() << 8));
        }
        if ((flags & NAME) != 0) {
            skipText();
        }
        if ((flags & COMMENT) != 0) {
            skipText();
        }
        if ((flags & HEADER_CRC) != 0) {
            skip(2);
        }
        inflater.reset();
        crc.reset();
        inMember = true;
        members++;
        return true;
    }

    private void endMember() throws IOException {
        from = to - inflater.getRemaining();
        long sum = littleEndian();
        long size = littleEndian();
        if (sum != crc.getValue() || size != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
            throw new ZipException("damaged: the checksum of its member " + members + " is wrong");
        }
        inMember = false;
    }

    private long littleEndian() throws IOException {
        return next() | next() << 8 | next() << 16 | (long) next() << 24;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
