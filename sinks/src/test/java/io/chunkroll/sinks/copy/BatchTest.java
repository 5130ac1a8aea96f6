package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {
    private static final TableDescription TABLE = new TableDescription(
            List.of(
                    new Column("time", ColumnType.TIMESTAMPTZ, "timestamptz", false),
                    new Column("host", ColumnType.TEXT, "text", false)),
            0,
            1);

    private final TupleWriter writer = new TupleWriter(TABLE);
    private final Batch batch = new Batch();

    /** Null for no key, {@link Tuple#NO_TIME} for no time. */
    private record Row(String key, long time) {}

    private Tuple tuple(Row row) {
        writer.begin();
        if (row.time == Tuple.NO_TIME) {
            writer.putNull();
        } else if (row.time == Long.MAX_VALUE) {
            // PostgreSQL's infinity.
            writer.putInt8(Long.MAX_VALUE);
        } else {
            writer.putTimestamp(row.time);
        }
        if (row.key == null) {
            writer.putNull();
        } else {
            writer.putText(row.key);
        }
        return writer.end();
    }

    private void fill(List<Row> rows) {
        rows.forEach(row -> batch.add(tuple(row)));
    }

    private int[] order() {
        return Arrays.copyOf(batch.order(), batch.rows());
    }

    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(key -> key.getBytes(StandardCharsets.UTF_8), (a, b) -> Arrays.compareUnsigned(a, b));

    /** What a stable sort of the library makes of it. */
    private static int[] reference(List<Row> rows) {
        return IntStream.range(0, rows.size())
                .boxed()
                .sorted(Comparator.<Integer, String>comparing(i -> rows.get(i).key, Comparator.nullsFirst(BY_BYTES))
                        .thenComparing(i -> rows.get(i).time))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void assertOrder(List<Row> rows) {
        fill(rows);
        assertThat(order()).isEqualTo(reference(rows));
    }

    @Test
    void ordersByKeyThenTimeThenArrival() {
        assertOrder(List.of(
                new Row("b", 2), new Row("a", 3), new Row("b", 1), new Row("a", 3), new Row("a", 1), new Row("b", 2)));
    }

    @Test
    void countsItsKeys() {
        assertThat(batch.keys()).isZero();
        fill(List.of(new Row("b", 2), new Row("a", 3), new Row("b", 1), new Row(null, 3), new Row("", 1)));
        assertThat(batch.keys()).isEqualTo(4);
        batch.reset(2);
        assertThat(batch.keys()).isZero();
        fill(IntStream.range(0, 30_000)
                .mapToObj(i -> new Row("a device with a long name " + i % 10_000, i))
                .toList());
        assertThat(batch.keys()).isEqualTo(10_000);
    }

    @Test
    void keysMayShareTheirFirstEightBytes() {
        assertOrder(Stream.of("host_1234", "host_123", "host_12345", "host_12", "host_1235", "host_1234", "", "h")
                .map(key -> new Row(key, 0))
                .toList());
    }

    @Test
    void keysAreComparedAsUnsignedBytes() {
        assertOrder(Stream.of("zürich", "zz", "日本", "\u0000", "", "\u0000\u0000", "😀", "a\u007f", "aä")
                .map(key -> new Row(key, 0))
                .toList());
    }

    @Test
    void rowsWithoutAKeyComeFirstInTheOrderOfTheirTimes() {
        assertOrder(List.of(
                new Row("", 1), new Row(null, 2), new Row("a", 0), new Row(null, 1), new Row("", 0), new Row(null, 1)));
    }

    @Test
    void rowsWithoutATimeComeFirstAmongTheirKey() {
        assertOrder(List.of(
                new Row("a", 1),
                new Row("a", Tuple.NO_TIME),
                new Row("b", -5),
                new Row("a", -7),
                new Row("b", Tuple.NO_TIME)));
    }

    @Test
    void oneRowAndNone() {
        assertThat(order()).isEmpty();
        assertThat(batch.isEmpty()).isTrue();
        assertThat(batch.minTime()).isGreaterThan(batch.maxTime());
        assertOrder(List.of(new Row("a", 1)));
        assertThat(batch.minTime()).isEqualTo(1).isEqualTo(batch.maxTime());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 1_023, 1_024, 1_025, 65_536, 100_000})
    void sortsAsTheLibraryDoes(int count) {
        Random random = new Random(count);
        assertOrder(IntStream.range(0, count)
                .mapToObj(i -> new Row(
                        random.nextInt(50) == 0 ? null : "host_" + random.nextInt(300) * random.nextInt(1_000),
                        random.nextInt(20)))
                .toList());
    }

    @Test
    void sortsAFleetInTimeOrder() {
        assertOrder(IntStream.range(0, 70_000)
                .mapToObj(i -> new Row("host_" + i % 1_000, i / 1_000))
                .toList());
    }

    @Test
    void keepsRowsWhereTheyCame() {
        List<Row> rows = IntStream.range(0, 5_000)
                .mapToObj(i -> new Row("x".repeat(i % 200), i))
                .toList();
        fill(rows);
        assertThat(batch.rows()).isEqualTo(5_000);
        for (int i = 0; i < rows.size(); i++) {
            Tuple tuple = tuple(rows.get(i));
            assertThat(Arrays.copyOfRange(batch.bytes(), batch.start(i), batch.end(i)))
                    .isEqualTo(Arrays.copyOf(tuple.bytes(), tuple.length()));
        }
        assertThat(Arrays.copyOf(batch.arrival(), 3)).containsExactly(0, 1, 2);
        assertThat(batch.minTime()).isZero();
        assertThat(batch.maxTime()).isEqualTo(4_999);
        assertThat(batch.size()).isEqualTo(batch.end(4_999));
    }

    @Test
    void oneRowMayBeLargerThanAllBefore() {
        fill(List.of(new Row("a", 1), new Row("x".repeat(10_000_000), 2), new Row("b", 3)));
        assertThat(batch.end(1) - batch.start(1)).isGreaterThan(10_000_000);
        assertThat(order()).containsExactly(0, 2, 1);
    }

    @Test
    void infiniteTimesAreSortedButDoNotSpan() {
        assertOrder(
                List.of(new Row("a", Long.MAX_VALUE), new Row("a", 5), new Row("a", Tuple.NO_TIME), new Row("a", 3)));
        assertThat(batch.minTime()).isEqualTo(3);
        assertThat(batch.maxTime()).isEqualTo(5);
    }

    @Test
    void isEmptyAgainAfterAReset() {
        fill(List.of(new Row("b", 5), new Row("a", 6)));
        batch.reset(7);
        assertThat(batch.number()).isEqualTo(7);
        assertThat(batch.size()).isZero();
        assertOrder(List.of(new Row("d", 2), new Row("c", 3)));
        assertThat(batch.maxTime()).isEqualTo(3);
    }
}
