package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectTest {
    private static final byte[] ROW = {'a', ',', (byte) 0xff, 0, '\n'};

    private static void assertDecodedAsEncoded(Reject reject) {
        Tuple tuple = reject.encode();
        assertThat(tuple.isRejected()).isTrue();
        assertThat(Reject.decode(tuple.copy())).usingRecursiveComparison().isEqualTo(reject);
    }

    @Test
    void isDecodedAsEncoded() {
        assertDecodedAsEncoded(new Reject(new Origin("münchen.csv", 1L << 40, 12, ROW), "größe", "\"x\" is no number"));
    }

    @Test
    void mayBeOfARowAsAWhole() {
        assertDecodedAsEncoded(new Reject(new Origin("f", 0, 0, new byte[0]), "", ""));
        assertDecodedAsEncoded(new Reject(Origin.ofNoFile(ROW), "", "why"));
    }

    @Test
    void hasNeitherTimeNorKey() {
        Tuple tuple = new Reject(Origin.ofNoFile(ROW), "", "").encode();
        assertThat(tuple.time()).isEqualTo(Tuple.NO_TIME);
        assertThat(tuple.keyOffset()).isEqualTo(Tuple.NO_KEY);
        assertThat(tuple.keyLength()).isZero();
    }

    @Test
    void aGoodRowTellsWhereItCameFrom() {
        TupleWriter writer = new TupleWriter(Rows.table(ColumnType.INT4, ColumnType.TEXT));
        Origin origin = new Origin("a.csv", 17, 3, "1,x".repeat(500).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        writer.begin();
        writer.putInt4(1);
        writer.putText("x");
        Tuple row = writer.end(origin).copy();

        assertThat(Rows.fields(row)).hasSize(2);
        assertThat(Origin.decode(row.bytes(), row.length(), row.length() + row.originLength()))
                .usingRecursiveComparison()
                .isEqualTo(origin);
        writer.begin();
        writer.putInt4(1);
        writer.putText("x");
        assertThat(writer.end().originLength()).isZero();
        assertThat(writer.end()).isNotEqualTo(row);
    }
}
