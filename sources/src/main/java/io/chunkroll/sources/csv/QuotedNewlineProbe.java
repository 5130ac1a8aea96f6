package io.chunkroll.sources.csv;

import io.chunkroll.sources.files.BlockReader;
import io.chunkroll.sources.files.Compression;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.core.fs.Path;

/** Looks for a line end within quotes in a file's beginning. */
final class QuotedNewlineProbe {
    static final long PROBED_BYTES = 64L << 20;

    private QuotedNewlineProbe() {}

    static boolean finds(Path file, CsvDialect dialect) throws IOException {
        QuoteTracker quotes = new QuoteTracker(dialect);
        byte[] buffer = new byte[BlockReader.BLOCK_BYTES];
        try (InputStream in = Compression.openPlain(file, 0)) {
            for (long left = PROBED_BYTES; left > 0 && !quotes.sawQuotedNewline(); ) {
                int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (read < 0) {
                    break;
                }
                quotes.walk(buffer, 0, read);
                left -= read;
            }
        }
        return quotes.sawQuotedNewline();
    }
}
