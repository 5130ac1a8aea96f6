package io.chunkroll.sources.fleet;

import java.util.Arrays;

/** Shows rows as text, one behind the other in an array that grows. */
abstract class TextFields implements FieldWriter {
    private byte[] bytes;
    private int position;

    TextFields(int capacity) {
        bytes = new byte[capacity];
    }

    /** What has been written, from its start. */
    final byte[] bytes() {
        return bytes;
    }

    final int length() {
        return position;
    }

    /** Forgets what has been written. */
    final void clear() {
        position = 0;
    }

    /** Writes what stands before the first row. */
    abstract void header(DataSet dataset);

    /** Makes room for so many bytes, which are to be written from {@link #length()} on. */
    final byte[] room(int more) {
        if (bytes.length - position < more) {
            bytes = Arrays.copyOf(bytes, Math.max(position + more, 2 * bytes.length));
        }
        return bytes;
    }

    /** Notes that the array has been written up to here. */
    final void endAt(int end) {
        position = end;
    }

    final void append(byte[] text, int length) {
        room(length);
        System.arraycopy(text, 0, bytes, position, length);
        position += length;
    }

    final void append(char ascii) {
        room(1);
        bytes[position++] = (byte) ascii;
    }

    /** Puts another character in the place of the last. */
    final void replaceLast(char ascii) {
        bytes[position - 1] = (byte) ascii;
    }
}
