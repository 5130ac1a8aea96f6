package io.chunkroll.sources.csv;

import io.chunkroll.sources.files.Block;
import io.chunkroll.sources.files.BlockReader;
import io.chunkroll.sources.files.Compression;
import io.chunkroll.sources.files.FileNames;
import io.chunkroll.sources.files.RowEnds;
import io.chunkroll.sources.files.SourceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.Path;

/**
 * What a file begins with.
 *
 * @param fields the first line's fields as texts; empty if the file is
 * @param first where the first line begins, after a byte-order mark
 * @param second where the second line begins, or the file ends
 * @param lines how many lines the first row takes, more than one where quotes hold line ends
 */
record FileHead(List<String> fields, long first, long second, int lines) {
    /** PostgreSQL has at most 1,600 columns; a file may have more fields, some of them skipped. */
    private static final int MOST_FIELDS = 16_384;

    private static final int HEAD_BYTES = 16 * 1024;

    static FileHead read(Path file, CsvOptions options) throws IOException {
        RowEnds rowEnds = options.mayQuoteNewlines() ? new QuoteTracker(options.dialect()) : RowEnds.LINES;
        try (BlockReader blocks =
                new BlockReader(Compression.open(file, 0), 0, BlockReader.TO_THE_END, rowEnds, HEAD_BYTES)) {
            Block block = blocks.next();
            if (block == null) {
                return new FileHead(List.of(), 0, 0, 0);
            }
            checkEncoding(file, block);
            int start = hasByteOrderMark(block) ? 3 : 0;
            return start == block.limit ? new FileHead(List.of(), start, start, 0) : read(block, start, options);
        }
    }

    private static FileHead read(Block block, int start, CsvOptions options) {
        RowScanner row = new RowScanner(options.dialect(), !options.mayQuoteNewlines(), MOST_FIELDS);
        int next = Math.min(row.scan(block.bytes, start, block.limit), block.limit);
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < Math.min(row.count(), MOST_FIELDS); i++) {
            fields.add(text(block.bytes, row, i));
        }
        return new FileHead(List.copyOf(fields), start, next, 1 + row.innerNewlines());
    }

    private static String text(byte[] bytes, RowScanner row, int field) {
        int from = row.from(field);
        int length = row.to(field) - from;
        if (row.kind(field) != RowScanner.ESCAPED) {
            return new String(bytes, from, length, StandardCharsets.UTF_8);
        }
        byte[] unescaped = new byte[length];
        return new String(unescaped, 0, row.unescape(bytes, field, unescaped), StandardCharsets.UTF_8);
    }

    private static boolean hasByteOrderMark(Block block) {
        return block.limit >= 3
                && unsigned(block, 0) == 0xEF
                && unsigned(block, 1) == 0xBB
                && unsigned(block, 2) == 0xBF;
    }

    private static void checkEncoding(Path file, Block block) {
        int mark = block.limit < 2 ? 0 : unsigned(block, 0) << 8 | unsigned(block, 1);
        if (mark == 0xFEFF || mark == 0xFFFE) {
            throw new SourceException(
                    FileNames.of(file) + " is UTF-16 by its byte-order mark, and only UTF-8 is read: convert it, for"
                            + " example with iconv -f UTF-16 -t UTF-8");
        }
    }

    private static int unsigned(Block block, int index) {
        return block.bytes[index] & 0xFF;
    }
}
