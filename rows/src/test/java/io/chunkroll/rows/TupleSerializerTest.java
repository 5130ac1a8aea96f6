package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class TupleSerializerTest {
    private static final TupleSerializer SERIALIZER = TupleSerializer.INSTANCE;

    private static Tuple row(String key, int value) {
        TupleWriter writer = new TupleWriter(Rows.table(ColumnType.TIMESTAMPTZ, ColumnType.TEXT, ColumnType.INT4)
                .withRoles(0, 1));
        writer.begin();
        writer.putTimestamp(1_451_779_200_000_000L + value);
        writer.putText(key);
        writer.putInt4(value);
        return writer.end().copy();
    }

    private static Tuple rowOfFile(String key) {
        TupleWriter writer = new TupleWriter(Rows.table(ColumnType.TEXT).withRoles(-1, 0));
        writer.begin();
        writer.putText(key);
        return writer.end(new Origin("f.csv", 5, 2, new byte[300])).copy();
    }

    private static Tuple reject() {
        return new Reject(new Origin("f", 1, 2, new byte[] {1}), "c", "r").encode();
    }

    private static DataInputDeserializer written(Tuple... tuples) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        for (Tuple tuple : tuples) {
            SERIALIZER.serialize(tuple, out);
        }
        return new DataInputDeserializer(out.getCopyOfBuffer());
    }

    @Test
    void readsWhatItWrote() throws IOException {
        Tuple row = row("host_1", 7);
        DataInputDeserializer in = written(row, row("", 8));
        assertThat(SERIALIZER.deserialize(in)).isEqualTo(row);
        Tuple second = SERIALIZER.deserialize(in);
        assertThat(second).isEqualTo(row("", 8));
        assertThat(second.keyLength()).isZero();
        assertThat(second.keyOffset()).isNotEqualTo(Tuple.NO_KEY);
        assertThat(in.available()).isZero();
    }

    @Test
    void anEmptyTupleStaysEmpty() throws IOException {
        Tuple read = SERIALIZER.deserialize(written(SERIALIZER.createInstance()));
        assertThat(read.length()).isZero();
        assertThat(read.isRejected()).isFalse();
        assertThat(read.time()).isEqualTo(Tuple.NO_TIME);
    }

    @Test
    void aRejectStaysOne() throws IOException {
        Tuple reject = reject();
        Tuple emptyReject = new Tuple();
        emptyReject.rejected = true;
        DataInputDeserializer in = written(reject, emptyReject, row("k", 1));
        Tuple reuse = new Tuple();
        assertThat(SERIALIZER.deserialize(reuse, in)).isEqualTo(reject);
        assertThat(SERIALIZER.deserialize(reuse, in)).isEqualTo(emptyReject);
        assertThat(SERIALIZER.deserialize(reuse, in)).isEqualTo(row("k", 1));
        assertThat(reuse.isRejected()).isFalse();
    }

    @Test
    void theOriginComesAlongAndIsNotLeftBehindInAReusedTuple() throws IOException {
        DataInputDeserializer in = written(rowOfFile("k"), row("k", 1));
        Tuple reuse = new Tuple();
        assertThat(SERIALIZER.deserialize(reuse, in)).isEqualTo(rowOfFile("k"));
        assertThat(SERIALIZER.deserialize(reuse, in)).isEqualTo(row("k", 1));
        assertThat(reuse.originLength()).isZero();
    }

    @Test
    void aReusedTupleKeepsItsLargerArray() throws IOException {
        Tuple reuse = row("a key that is longer than the other one", 1);
        byte[] array = reuse.bytes();
        SERIALIZER.deserialize(reuse, written(row("k", 2)));
        assertThat(reuse).isEqualTo(row("k", 2));
        assertThat(reuse.bytes()).isSameAs(array);
        SERIALIZER.deserialize(reuse, written(row("k".repeat(1_000), 3)));
        assertThat(reuse).isEqualTo(row("k".repeat(1_000), 3));
    }

    @Test
    void copiesFromViewToViewWithoutReading() throws IOException {
        Tuple reject = reject();
        DataInputDeserializer in = written(row("k", 1), reject, new Tuple(), rowOfFile("m"), row("l", 2));
        DataOutputSerializer out = new DataOutputSerializer(1_024);
        for (int i = 0; i < 5; i++) {
            SERIALIZER.copy(in, out);
        }
        DataInputDeserializer copied = new DataInputDeserializer(out.getCopyOfBuffer());
        assertThat(SERIALIZER.deserialize(copied)).isEqualTo(row("k", 1));
        assertThat(SERIALIZER.deserialize(copied)).isEqualTo(reject);
        assertThat(SERIALIZER.deserialize(copied)).isEqualTo(new Tuple());
        assertThat(SERIALIZER.deserialize(copied)).isEqualTo(rowOfFile("m"));
        assertThat(SERIALIZER.deserialize(copied)).isEqualTo(row("l", 2));
    }

    @Test
    void aCopyIsOfItsOwn() {
        Tuple row = row("k", 1);
        Tuple copy = SERIALIZER.copy(row);
        row.bytes()[row.length() - 1]++;
        assertThat(copy).isEqualTo(row("k", 1)).isNotEqualTo(row);
        assertThat(SERIALIZER.copy(row, copy)).isEqualTo(row);
    }

    @Test
    void isFoundByTypeAndBySnapshot() {
        assertThat(TupleTypeInfo.INSTANCE.createSerializer(null)).isSameAs(SERIALIZER);
        assertThat(SERIALIZER.snapshotConfiguration().restoreSerializer()).isInstanceOf(TupleSerializer.class);
    }
}
