package io.chunkroll.rows;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Tells Flink how tuples are serialized. */
public final class TupleTypeInfo extends TypeInformation<Tuple> {
    public static final TupleTypeInfo INSTANCE = new TupleTypeInfo();
    private static final long serialVersionUID = 1L;

    private TupleTypeInfo() {}

    @Override
    public TypeSerializer<Tuple> createSerializer(SerializerConfig config) {
        return TupleSerializer.INSTANCE;
    }

    @Override
    public Class<Tuple> getTypeClass() {
        return Tuple.class;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public boolean canEqual(Object object) {
        return object instanceof TupleTypeInfo;
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof TupleTypeInfo;
    }

    @Override
    public int hashCode() {
        return TupleTypeInfo.class.hashCode();
    }

    @Override
    public String toString() {
        return "Tuple";
    }
}
