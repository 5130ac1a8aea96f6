package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectTest {

    @Test
    void isDecodedAsEncoded() {
        byte[] row = {'a', ',', (byte) 0xff, 0, '\n'};
        Reject reject = new Reject("münchen.csv", 1L << 40, 12, "größe", "\"x\" is no number", row);
        Tuple tuple = reject.encode();
        assertThat(tuple.isRejected()).isTrue();
        Reject decoded = Reject.decode(tuple.copy());
        assertThat(decoded).usingRecursiveComparison().isEqualTo(reject);
    }

    @Test
    void mayBeOfARowAsAWhole() {
        Reject reject = new Reject("f", 0, 0, "", "", new byte[0]);
        assertThat(Reject.decode(reject.encode())).usingRecursiveComparison().isEqualTo(reject);
    }

    @Test
    void hasNeitherTimeNorKey() {
        Tuple tuple = new Reject("f", 0, 0, "", "", new byte[0]).encode();
        assertThat(tuple.time()).isEqualTo(Tuple.NO_TIME);
        assertThat(tuple.keyOffset()).isEqualTo(Tuple.NO_KEY);
        assertThat(tuple.keyLength()).isZero();
    }
}
