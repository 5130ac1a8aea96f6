package io.chunkroll.rows;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The PostgreSQL types that are encoded here; every other type travels as text, and the server parses it. */
public enum ColumnType {
    BOOL(16),
    INT2(21),
    INT4(23),
    INT8(20),
    FLOAT4(700),
    FLOAT8(701),
    NUMERIC(1700),
    TEXT(25),
    VARCHAR(1043),
    CHAR(1042),
    DATE(1082),
    TIMESTAMP(1114),
    TIMESTAMPTZ(1184),
    UUID(2950),
    JSON(114),
    JSONB(3802),
    /** Arrays, enums, ranges, geometry and whatever extensions bring. */
    OTHER(0);

    private static final Map<Integer, ColumnType> BY_OID =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(ColumnType::oid, Function.identity()));

    private final int oid;

    ColumnType(int oid) {
        this.oid = oid;
    }

    /** The type's object identifier in {@code pg_type}, fixed for built-in types; 0 for {@link #OTHER}. */
    public int oid() {
        return oid;
    }

    /** The type with this identifier; the caller resolves a domain to its base type first. */
    public static ColumnType ofOid(int oid) {
        return BY_OID.getOrDefault(oid, OTHER);
    }

    /** Whether a column of this type can be the time that rows are ordered and partitioned by. */
    public boolean isTime() {
        return this == TIMESTAMPTZ || this == TIMESTAMP || this == DATE;
    }
}
