package io.chunkroll.sources.fleet;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * How a file is compressed. Each block is packed by itself, a member of a gzip file or a frame of a zstd file, which both may have any
 * number of: so blocks can be packed by several threads.
 */
enum Compression {
    NONE {
        @Override
        byte[] pack(byte[] bytes, int length) {
            return Arrays.copyOf(bytes, length);
        }
    },
    GZIP {
        /** The digits are random: more effort would save little. */
        @Override
        byte[] pack(byte[] bytes, int length) throws IOException {
            ByteArrayOutputStream packed = new ByteArrayOutputStream(length / 2);
            try (OutputStream gzip = new GZIPOutputStream(packed) {
                {
                    def.setLevel(Deflater.BEST_SPEED);
                }
            }) {
                gzip.write(bytes, 0, length);
            }
            return packed.toByteArray();
        }
    },
    ZSTD {
        @Override
        byte[] pack(byte[] bytes, int length) {
            byte[] packed = new byte[(int) Zstd.compressBound(length)];
            long packedLength =
                    Zstd.compressByteArray(packed, 0, packed.length, bytes, 0, length, Zstd.defaultCompressionLevel());
            return Arrays.copyOf(packed, (int) packedLength);
        }
    };

    /** Packs the first {@code length} bytes, in an array of its own. */
    abstract byte[] pack(byte[] bytes, int length) throws IOException;

    /** What a file's name asks for. */
    static Compression of(String fileName) {
        if (fileName.endsWith(".gz")) {
            return GZIP;
        }
        return fileName.endsWith(".zst") ? ZSTD : NONE;
    }
}
