package io.chunkroll.job.tags;

import java.util.Arrays;

/** Ids of hosts by the bytes of their names. Open addressing, for there may be millions of them and each row asks. */
final class IdMap {
    /** No host has it. */
    static final int NONE = 0;

    private byte[][] names = new byte[1024][];
    private int[] ids = new int[1024];
    private int size;

    /** The id of the host whose name stands at this place, or {@link #NONE}. */
    int get(byte[] bytes, int from, int to) {
        for (int slot = slot(hash(bytes, from, to)); names[slot] != null; slot = slot(slot + 1)) {
            byte[] name = names[slot];
            if (Arrays.equals(name, 0, name.length, bytes, from, to)) {
                return ids[slot];
            }
        }
        return NONE;
    }

    /** Notes a host that is not known yet. */
    void put(byte[] name, int id) {
        if (2 * (size + 1) > names.length) {
            grow();
        }
        insert(name, id);
        size++;
    }

    private void insert(byte[] name, int id) {
        int slot = slot(hash(name, 0, name.length));
        while (names[slot] != null) {
            slot = slot(slot + 1);
        }
        names[slot] = name;
        ids[slot] = id;
    }

    private void grow() {
        byte[][] oldNames = names;
        int[] oldIds = ids;
        names = new byte[2 * oldNames.length][];
        ids = new int[names.length];
        for (int i = 0; i < oldNames.length; i++) {
            if (oldNames[i] != null) {
                insert(oldNames[i], oldIds[i]);
            }
        }
    }

    private int slot(int hash) {
        return hash & (names.length - 1);
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = 0;
        for (int at = from; at < to; at++) {
            hash = 31 * hash + bytes[at];
        }
        hash *= 0x9E3779B1;
        return hash ^ (hash >>> 15);
    }
}
