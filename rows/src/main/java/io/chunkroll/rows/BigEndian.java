package io.chunkroll.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in a byte array in network order, as PostgreSQL's binary formats have them. */
public final class BigEndian {
    private static final VarHandle SHORT = handle(short[].class);
    private static final VarHandle INT = handle(int[].class);
    private static final VarHandle LONG = handle(long[].class);

    private BigEndian() {}

    private static VarHandle handle(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    public static short getShort(byte[] bytes, int offset) {
        return (short) SHORT.get(bytes, offset);
    }

    public static int getInt(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    public static long getLong(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset);
    }

    public static void putShort(byte[] bytes, int offset, int value) {
        SHORT.set(bytes, offset, (short) value);
    }

    public static void putInt(byte[] bytes, int offset, int value) {
        INT.set(bytes, offset, value);
    }

    public static void putLong(byte[] bytes, int offset, long value) {
        LONG.set(bytes, offset, value);
    }
}
