package io.chunkroll.sources.files;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

/** How a file's bytes are packed, told by its first bytes, whatever its name is. */
public enum Compression {
    NONE,
    GZIP,
    ZSTD;

    private static final int BUFFER_BYTES = 64 * 1024;

    public static Compression of(Path file) throws IOException {
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return detect(in.readNBytes(4));
        }
    }

    /** Opens any file at this offset of its uncompressed bytes. */
    public static InputStream open(Path file, long offset) throws IOException {
        FSDataInputStream in = file.getFileSystem().open(file);
        try {
            Compression compression = detect(in.readNBytes(4));
            in.seek(compression == NONE ? offset : 0);
            InputStream unpacked =
                    switch (compression) {
                        case NONE -> in;
                        case GZIP -> new Named(new GzipMembers(in, BUFFER_BYTES), file);
                        case ZSTD ->
                            new Named(new ZstdInputStreamNoFinalizer(new BufferedInputStream(in, BUFFER_BYTES)), file);
                    };
            if (compression != NONE) {
                skip(unpacked, offset);
            }
            return unpacked;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /** Opens a file that is known not to be compressed, at this offset. */
    public static InputStream openPlain(Path file, long offset) throws IOException {
        FSDataInputStream in = file.getFileSystem().open(file);
        try {
            in.seek(offset);
            return in;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private static Compression detect(byte[] magic) {
        if (magic.length >= 2 && (magic[0] & 0xFF) == 0x1F && (magic[1] & 0xFF) == 0x8B) {
            return GZIP;
        }
        boolean zstd = magic.length == 4
                && (magic[0] & 0xFF) == 0x28
                && (magic[1] & 0xFF) == 0xB5
                && (magic[2] & 0xFF) == 0x2F
                && (magic[3] & 0xFF) == 0xFD;
        return zstd ? ZSTD : NONE;
    }

    private static void skip(InputStream in, long offset) throws IOException {
        byte[] discarded = new byte[BUFFER_BYTES];
        long left = offset;
        while (left > 0) {
            int read = in.read(discarded, 0, (int) Math.min(left, discarded.length));
            if (read < 0) {
                throw new EOFException("The file ends before its byte " + offset + ", where reading is to go on");
            }
            left -= read;
        }
    }

    /** An archive that is damaged is one of many, perhaps: what is said of it names it. */
    private static final class Named extends FilterInputStream {
        private final Path file;

        Named(InputStream in, Path file) {
            super(in);
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                return super.read(into, offset, length);
            } catch (IOException e) {
                throw new IOException("The packed file " + file + " cannot be read to its end: " + e.getMessage(), e);
            }
        }
    }
}
