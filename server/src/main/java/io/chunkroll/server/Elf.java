package io.chunkroll.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a program's file says of itself. */
final class Elf {
    private static final int HEADER_BYTES = 64;
    private static final int MAGIC = 0x464c457f;
    private static final int CLASS_AT = 4;
    private static final int CLASS_64 = 2;
    private static final int TABLE_AT = 32;
    private static final int ENTRY_SIZE_AT = 54;
    private static final int ENTRIES_AT = 56;
    private static final int INTERPRETER = 3;

    private Elf() {}

    /** Whether the file is a program that a loader starts, as none that is linked statically, no library and no script is. */
    static boolean isDynamicProgram(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer header = read(channel, 0, HEADER_BYTES);
            if (header.remaining() < HEADER_BYTES || header.getInt(0) != MAGIC || header.get(CLASS_AT) != CLASS_64) {
                return false;
            }
            int size = header.getShort(ENTRY_SIZE_AT);
            int entries = header.getShort(ENTRIES_AT);
            ByteBuffer table = read(channel, header.getLong(TABLE_AT), size * entries);
            for (int at = 0; at + Integer.BYTES <= table.limit(); at += size) {
                if (table.getInt(at) == INTERPRETER) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    /** Of the machines that Debian's 64-bit packages are for here, all put the low byte first. */
    private static ByteBuffer read(FileChannel channel, long from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {}
        return buffer.flip();
    }
}
