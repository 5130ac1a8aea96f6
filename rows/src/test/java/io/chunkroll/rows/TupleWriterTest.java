package io.chunkroll.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TupleWriterTest {
    private static final TableDescription TABLE = Rows.table(ColumnType.TIMESTAMPTZ, ColumnType.TEXT, ColumnType.FLOAT8)
            .withRoles(0, 1);
    private static final long TIME = 1_451_779_200_123_456L;

    private final TupleWriter writer = new TupleWriter(TABLE);

    private Tuple row(String key) {
        writer.begin();
        writer.putTimestamp(TIME);
        writer.putText(key);
        writer.putFloat8(1.5);
        return writer.end();
    }

    @Test
    void framesFieldsAsBinaryCopyDoes() {
        Tuple row = row("ab");
        assertThat(BigEndian.getShort(row.bytes(), 0)).isEqualTo((short) 3);
        assertThat(row.length()).isEqualTo(2 + 4 + 8 + 4 + 2 + 4 + 8);
        assertThat(Rows.fields(row).get(1)).isEqualTo("ab".getBytes(UTF_8));
    }

    @Test
    void notesTimeAndKey() {
        Tuple row = row("höst");
        assertThat(row.time()).isEqualTo(TIME);
        assertThat(new String(row.bytes(), row.keyOffset(), row.keyLength(), UTF_8))
                .isEqualTo("höst");
    }

    @Test
    void nullKeyAndTimeAreNone() {
        row("before");
        writer.begin();
        writer.putNull();
        writer.putNull();
        writer.putNull();
        Tuple row = writer.end();
        assertThat(row.time()).isEqualTo(Tuple.NO_TIME);
        assertThat(row.keyOffset()).isEqualTo(Tuple.NO_KEY);
        assertThat(row.keyLength()).isZero();
        assertThat(row.keyHash()).isZero();
        assertThat(Rows.fields(row)).containsExactly(null, null, null);
    }

    @Test
    void anEmptyKeyIsOne() {
        Tuple row = row("");
        assertThat(row.keyOffset()).isNotEqualTo(Tuple.NO_KEY);
        assertThat(row.keyLength()).isZero();
    }

    @Test
    void theHashIsOfTheKeyAlone() {
        int hash = row("host_12345678").keyHash();
        writer.begin();
        writer.putNull();
        writer.putText("host_12345678");
        writer.putFloat8(-1);
        assertThat(writer.end().keyHash()).isEqualTo(hash);
        assertThat(row("host_12345679").keyHash()).isNotEqualTo(hash);
    }

    @Test
    void hashesOfNeighboursAreSpreadEvenly() {
        Set<Integer> hashes = new HashSet<>();
        int[] buckets = new int[16];
        for (int i = 0; i < 16_000; i++) {
            int hash = row("host_" + i).keyHash();
            hashes.add(hash);
            buckets[hash & 15]++;
        }
        assertThat(hashes).hasSizeGreaterThan(15_990);
        for (int bucket : buckets) {
            assertThat(bucket).isBetween(800, 1_200);
        }
    }

    @Test
    void growsWithItsRows() {
        String large = "x".repeat(3_000_000);
        assertThat(row(large).keyLength()).isEqualTo(3_000_000);
        assertThat(row("small").keyLength()).isEqualTo(5);
    }

    @Test
    void infinitiesAreTheEndsOfTheRange() throws BadValueException {
        for (ColumnType type : new ColumnType[] {ColumnType.TIMESTAMPTZ, ColumnType.TIMESTAMP, ColumnType.DATE}) {
            RowEncoder encoder = new RowEncoder(Rows.table(type).withRoles(0, -1), ParseOptions.DEFAULT);
            assertThat(Rows.encode(encoder, "infinity").time()).isEqualTo(Long.MAX_VALUE);
            assertThat(Rows.encode(encoder, "-infinity").time()).isEqualTo(Tuple.NO_TIME + 1);
            assertThat(Rows.encode(encoder, "epoch").time()).isZero();
        }
    }

    @Test
    void timesOfEveryTypeAreNoted() throws BadValueException {
        assertThat(time(ColumnType.TIMESTAMPTZ, "2016-01-03 02:00+02")).isEqualTo(1_451_779_200_000_000L);
        assertThat(time(ColumnType.TIMESTAMP, "2016-01-03 02:00+02")).isEqualTo(1_451_786_400_000_000L);
        assertThat(time(ColumnType.DATE, "2016-01-03 02:00")).isEqualTo(1_451_779_200_000_000L);
        assertThat(time(ColumnType.INT8, "17")).isEqualTo(17);
        assertThat(time(ColumnType.INT4, "-17")).isEqualTo(-17);
        assertThat(time(ColumnType.INT2, "17")).isEqualTo(17);
    }

    @Test
    void whatIsNoTimeGivesNone() throws BadValueException {
        assertThat(time(ColumnType.TEXT, "eu")).isEqualTo(Tuple.NO_TIME);
        assertThat(time(ColumnType.TEXT, "a longer text")).isEqualTo(Tuple.NO_TIME);
        assertThat(time(ColumnType.BOOL, "t")).isEqualTo(Tuple.NO_TIME);
        assertThat(time(ColumnType.FLOAT8, "1.5")).isEqualTo(Tuple.NO_TIME);
    }

    private static long time(ColumnType type, String text) throws BadValueException {
        return Rows.encode(new RowEncoder(Rows.table(type).withRoles(0, -1), ParseOptions.DEFAULT), text)
                .time();
    }

    @Test
    void aRowOfTheWrongWidthIsRefused() {
        writer.begin();
        writer.putNull();
        assertThatThrownBy(writer::end)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 fields");
        writer.begin();
        for (int i = 0; i < 4; i++) {
            writer.putNull();
        }
        assertThatThrownBy(writer::end).isInstanceOf(IllegalStateException.class);
        assertThat(row("fine again").keyLength()).isEqualTo(10);
    }
}
