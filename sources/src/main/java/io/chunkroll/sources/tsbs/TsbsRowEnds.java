package io.chunkroll.sources.tsbs;

import io.chunkroll.sources.files.ByteSearch;
import io.chunkroll.sources.files.RowEnds;

/** A line end ends a row if the next line begins with {@code tags,}, be the row whole or not. */
enum TsbsRowEnds implements RowEnds {
    INSTANCE;

    private static final byte NEWLINE = '\n';
    private static final byte[] TAGS = {'t', 'a', 'g', 's', ','};

    @Override
    public int first(byte[] bytes, int from, int to) {
        for (int newline = ByteSearch.first(bytes, from, to, NEWLINE);
                newline >= 0;
                newline = ByteSearch.first(bytes, newline + 1, to, NEWLINE)) {
            if (isTags(bytes, newline + 1, to)) {
                return newline + 1;
            }
        }
        return -1;
    }

    @Override
    public int last(byte[] bytes, int to) {
        for (int newline = ByteSearch.last(bytes, 0, to, NEWLINE);
                newline >= 0;
                newline = ByteSearch.last(bytes, 0, newline, NEWLINE)) {
            if (isTags(bytes, newline + 1, to)) {
                return newline + 1;
            }
        }
        return 0;
    }

    @Override
    public int lookahead() {
        return 1 + TAGS.length;
    }

    /** Whether a line of tags begins here. */
    static boolean isTags(byte[] bytes, int at, int to) {
        if (at + TAGS.length > to) {
            return false;
        }
        for (int i = 0; i < TAGS.length; i++) {
            if (bytes[at + i] != TAGS[i]) {
                return false;
            }
        }
        return true;
    }
}
