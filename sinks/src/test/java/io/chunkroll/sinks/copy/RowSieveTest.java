package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowSieveTest {

    /** What it took: attempts, and how many rows were in them. */
    private record Effort(int attempts, long rows) {}

    /**
     * Plays the server: an attempt fails if it has a bad row.
     *
     * @param hint tells of the bad row's line what the sieve is told
     */
    private static Effort sift(int rows, BitSet bad, IntUnaryOperator hint) {
        RowSieve sieve = new RowSieve(rows);
        BitSet refused = new BitSet();
        int next = 0;
        int attempts = 0;
        long sent = 0;
        while (!sieve.isDone()) {
            attempts++;
            sent += sieve.to() - sieve.from();
            assertThat(sieve.from()).isEqualTo(next);
            assertThat(sieve.to()).isBetween(next + 1, rows);
            int guilty = bad.nextSetBit(sieve.from());
            if (guilty < 0 || guilty >= sieve.to()) {
                next = sieve.to();
                sieve.loaded();
            } else if (sieve.isSingle()) {
                refused.set(sieve.from());
                next = sieve.to();
                sieve.refused();
            } else {
                sieve.failed(hint.applyAsInt(guilty - sieve.from() + 1));
            }
            assertThat(attempts).isLessThan(100 * rows);
        }
        assertThat(refused).isEqualTo(bad);
        return new Effort(attempts, sent);
    }

    private static BitSet some(int rows, double share, long seed) {
        Random random = new Random(seed);
        BitSet bad = new BitSet();
        for (int i = 0; i < rows; i++) {
            bad.set(i, random.nextDouble() < share);
        }
        return bad;
    }

    private static BitSet of(int... rows) {
        BitSet bad = new BitSet();
        for (int row : rows) {
            bad.set(row);
        }
        return bad;
    }

    @Test
    void goodRowsAreLoadedAtOnce() {
        assertThat(sift(20_000, of(), line -> line)).isEqualTo(new Effort(1, 20_000));
        assertThat(sift(1, of(), line -> line)).isEqualTo(new Effort(1, 1));
    }

    @Test
    void theHintedRowIsTriedByItself() {
        // All, those before, the bad one, those behind.
        assertThat(sift(1_000, of(600), line -> line).attempts()).isEqualTo(4);
        assertThat(sift(1_000, of(0), line -> line).attempts()).isLessThan(14);
        assertThat(sift(1_000, of(999), line -> line).attempts()).isEqualTo(3);
        assertThat(sift(1, of(0), line -> line).attempts()).isEqualTo(1);
    }

    @Test
    void withoutAHintOneBadRowTakesALogarithmOfAttempts() {
        for (int row : new int[] {0, 1, 777, 9_999}) {
            assertThat(sift(10_000, of(row), line -> 0).attempts()).isLessThan(32);
        }
    }

    @Test
    void whereAllAreBadEachIsTriedAboutOnce() {
        BitSet all = some(5_000, 2, 0);
        assertThat(sift(5_000, all, line -> line).attempts()).isLessThan(5_010);
        assertThat(sift(5_000, all, line -> 0).attempts()).isLessThan(5_020);
    }

    @Test
    void aPercentOfBadRowsTakesAFewAttemptsEach() {
        BitSet bad = some(20_000, 0.01, 7);
        Effort hinted = sift(20_000, bad, line -> line);
        assertThat(hinted.attempts()).isLessThan(5 * bad.cardinality());
        assertThat(hinted.rows()).isLessThan(6 * 20_000);
        Effort unaided = sift(20_000, bad, line -> 0);
        assertThat(unaided.attempts()).isLessThan(16 * bad.cardinality());
        assertThat(unaided.rows()).isLessThan(10 * 20_000);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.0005, 0.01, 0.1, 0.5, 0.9})
    void findsTheBadRowsWhateverTheHint(double share) {
        for (int rows : new int[] {2, 3, 17, 1_000}) {
            for (long seed = 0; seed < 20; seed++) {
                BitSet bad = some(rows, share, seed);
                Random random = new Random(seed);
                sift(rows, bad, line -> line);
                sift(rows, bad, line -> 0);
                sift(rows, bad, line -> line + 1);
                sift(rows, bad, line -> line - 1);
                sift(rows, bad, line -> random.nextInt(rows + 2));
            }
        }
    }
}
