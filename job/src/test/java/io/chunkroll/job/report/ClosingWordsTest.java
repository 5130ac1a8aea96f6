package io.chunkroll.job.report;

import static io.chunkroll.job.report.SyntheticRun.sawtooth;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClosingWordsTest {
    @TempDir
    Path folder;

    private final SyntheticRun hypertable = SyntheticRun.hypertable();
    private final SyntheticRun plain = SyntheticRun.plain();

    @Test
    void comparesASawtoothWithASinkingTable() throws IOException {
        List<RunFolder> runs = List.of(plain.read(folder), hypertable.read(folder));

        assertThat(ClosingWords.of(runs))
                .isEqualTo(
                        "plain: 22,400,000 rows at 112,000 rows/s on average. "
                                + "Its rate sank by 68%: 169,000 rows/s in the first fifth of the load, 54,800 rows/s in the last. "
                                + "Fitted, each million rows cost 6,430 rows/s (95% interval 6,250 to 6,620). "
                                + "hypertable: 22,400,000 rows at 140,000 rows/s on average. "
                                + "The chunk-roll sawtooth shows, over 3 chunk rolls: within a chunk of 5,600,000 rows the rate fell by 34%, "
                                + "from 169,000 to 111,000 rows/s (median of 4 full chunks, the middle half from 34% to 34%), and the next "
                                + "chunk began at 1.52 times the rate the last had ended with. Fitted over 4 full chunks, each million "
                                + "rows cost 14,300 rows/s (95% interval 14,100 to 14,500). hypertable was 1.25 times as fast as plain.");
        assertThat(ClosingWords.headline(runs)).isEqualTo("hypertable was 1.25 times as fast as plain");
    }

    @Test
    void saysThatTheBuffersMayBeTooLargeForASawtooth() throws IOException {
        SyntheticRun flat = SyntheticRun.of("flat", 160, 1, sawtooth(40, 102_000, 98_000))
                .chunksEvery(40)
                .fields("\"environment\": {\"server\": {\"shared_buffers\": \"2GB\"}}");

        assertThat(words(flat))
                .contains(
                        "No sawtooth is seen over 3 chunk rolls: within a chunk of 4,000,000 rows the rate fell by 3%")
                .endsWith(
                        "It may be that the buffers are too large for it: 20,000 devices keep about 156 MiB of index pages "
                                + "hot (8 KiB each), and the server has 2 GiB of shared buffers.");
    }

    @Test
    void doesNotBlameBuffersThatAreSmall() throws IOException {
        SyntheticRun flat = SyntheticRun.of("flat", 160, 1, second -> 100_000).chunksEvery(40);

        assertThat(words(flat)).contains("The buffers do not explain it (20,000 devices keep about 156 MiB");
    }

    @Test
    void creditsBatchesThatFollowTheFleet() throws IOException {
        SyntheticRun flat = SyntheticRun.of("flat", 160, 1, second -> 100_000)
                .chunksEvery(40)
                .fields(
                        "\"settings\": {\"sink.layout\": \"hypertable\", \"source.devices\": \"20000\", \"sink.kind\": \"copy\","
                                + " \"job.parallelism\": \"2\", \"sink.sort\": \"true\"}, \"flushes\": 160");

        assertThat(words(flat))
                .contains("Ordinary batches would have shown one, for 20,000 devices keep about 156 MiB")
                .contains("; these had about 10 rows of each device");
    }

    @Test
    void guessesOnlyWhereTheRunDoesNotTell() throws IOException {
        SyntheticRun flat = SyntheticRun.of("flat", 160, 1, second -> 100_000)
                .chunksEvery(40)
                .fields("\"environment\": null, \"settings\": {\"sink.layout\": \"hypertable\"}");

        assertThat(words(flat)).endsWith("the buffers hold the indexes' hot pages, about 8 KiB for each device.");
    }

    @Test
    void countsEachIndexThatBeginsWithTheDevice() throws IOException {
        String indexes = "\"CREATE INDEX a ON public.cpu USING btree (hostname, \\\"time\\\" DESC)\","
                + "\"CREATE INDEX b ON public.cpu USING btree (hostname)\","
                + "\"CREATE INDEX c ON public.cpu USING btree (\\\"time\\\" DESC)\"";
        SyntheticRun flat = SyntheticRun.of("flat", 160, 1, second -> 100_000)
                .chunksEvery(40)
                .fields("\"table\": {\"indexes\": [" + indexes + "]}");

        assertThat(words(flat)).contains("keep about 313 MiB of index pages hot (8 KiB each in 2 indexes)");
        assertThat(words(SyntheticRun.of("by time", 160, 1, second -> 100_000)
                        .chunksEvery(40)
                        .fields("\"table\": {\"indexes\": [\"CREATE INDEX c ON cpu USING btree (ts)\"]}")))
                .endsWith("there is nothing that buffers could be too small for.");
    }

    @Test
    void tellsOfStallsAndOfChunksFilledAtOnce() throws IOException {
        SyntheticRun stalled = SyntheticRun.of("stalled", 160, 1, second -> second > 40 && second < 43 ? 0 : 100_000)
                .chunksEvery(40);
        SyntheticRun atOnce = SyntheticRun.of("files", 160, 1, second -> 100_000)
                .roll(0, 0)
                .roll(40, 600)
                .roll(80, 1)
                .roll(120, 601);

        assertThat(words(stalled))
                .contains(
                        "At a roll nothing was committed for up to 3 s, elsewhere never for a whole look (a look every 1 s).")
                .contains("it shows no slope beyond its own noise");
        assertThat(words(atOnce)).contains("several were filled at once, which flattens the teeth.");
    }

    @Test
    void saysThatOneRollIsTooLittle() throws IOException {
        SyntheticRun two =
                SyntheticRun.of("two", 80, 1, sawtooth(40, 180_000, 100_000)).chunksEvery(40);

        assertThat(words(two))
                .contains(
                        "No sawtooth is seen over 1 chunk roll: within a chunk of 5,600,000 rows the rate fell by 34%, from 169,000 to 111,000")
                .contains("began at 1.52 times the rate")
                .endsWith("One roll is too little to speak of a sawtooth.");
    }

    @Test
    void saysThatNothingRolled() throws IOException {
        SyntheticRun one =
                SyntheticRun.of("one", 40, 1, sawtooth(40, 180_000, 100_000)).chunksEvery(40);

        assertThat(words(one))
                .contains("No new chunk was begun during the load")
                .contains("Its rate sank by");
    }

    @Test
    void saysThatChunksWereTooShort() throws IOException {
        SyntheticRun quick = SyntheticRun.of("quick", 20, 1, second -> 100_000).chunksEvery(5);

        assertThat(words(quick)).contains("3 chunk rolls were seen, but no full chunk took long enough");
    }

    @Test
    void tellsADeclineThroughRollsFromASawtooth() throws IOException {
        SyntheticRun sinking = SyntheticRun.of("sinking", 120, 1, second -> 200_000 - 1_500 * second)
                .chunksEvery(30);

        assertThat(words(sinking)).contains("No sawtooth is seen").contains("sank without recovering at the rolls");
    }

    @Test
    void speaksOfRisingAndHardlyChangedRates() throws IOException {
        assertThat(words(SyntheticRun.of("rising", 100, 1, second -> 1_000 + 10 * second)))
                .contains("Its rate rose by");
        assertThat(words(SyntheticRun.of("even", 100, 1, second -> 1_000)))
                .contains("Its rate hardly changed: 1,000 rows/s");
        assertThat(words(SyntheticRun.of("brief", 3, 1, second -> 1_000))).contains("too short to tell");
    }

    @Test
    void admitsWhatWentWrong() throws IOException {
        SyntheticRun run = SyntheticRun.of("lossy", 100, 1, second -> 1_000)
                .fields("\"rows_in_table\": 99000, \"rows_rejected\": 12");

        assertThat(words(run))
                .endsWith("Its table holds 99,000 new rows, not the 100,000 written. 12 rows were rejected.");
    }

    @Test
    void comparesOnlyWhatReachedATable() throws IOException {
        RunFolder source = SyntheticRun.of("source", 10, 1, second -> 900_000)
                .fields("\"settings\": {\"sink.kind\": \"discard\"}")
                .read(folder);

        assertThat(ClosingWords.of(List.of(source, plain.read(folder))))
                .startsWith(
                        "source: 9,000,000 rows at 900,000 rows/s into no database, the speed of source and job alone.")
                .doesNotContain("times as fast");
        assertThat(ClosingWords.headline(List.of(source))).isEqualTo("source: 900,000 rows/s");
    }

    @Test
    void doesNotMakeMuchOfSmallDifferencesAndUnequalLoads() throws IOException {
        RunFolder hundred =
                SyntheticRun.of("hundred", 100, 1, second -> 100_000).read(folder);
        RunFolder slightlyMore =
                SyntheticRun.of("more", 100, 1, second -> 102_000).read(folder);
        RunFolder more = SyntheticRun.of("much-more", 100, 1, second -> 108_000).read(folder);

        assertThat(ClosingWords.of(List.of(hundred, slightlyMore)))
                .contains("more and hundred were equally fast, within 3%.")
                .endsWith("They loaded different numbers of rows, so their means compare only roughly.");
        assertThat(ClosingWords.of(List.of(hundred, more)))
                .contains(
                        "much-more was 1.08 times as fast as hundred. Between single runs so small a difference can be chance.");
        assertThat(ClosingWords.headline(List.of(hundred, more, plain.read(folder))))
                .isEqualTo("plain was the fastest of 3, at 112,000 rows/s");
        assertThat(ClosingWords.of(List.of(hundred, more, plain.read(folder))))
                .contains("plain was the fastest; much-more reached 96%, hundred reached 89% of its rate.");
    }

    @Test
    void tellsRunsOfOneNameApart() throws IOException {
        RunFolder run = plain.read(folder);

        assertThat(ClosingWords.of(List.of(run, run))).contains("plain and plain (2) were equally fast");
    }

    @Test
    void saysThatNothingWasWritten() throws IOException {
        RunFolder run = SyntheticRun.of("nothing", 5, 1, second -> 0).read(folder);

        assertThat(ClosingWords.of(List.of(run))).isEqualTo("nothing wrote no rows.");
        assertThat(ClosingWords.of(List.of())).isEmpty();
        assertThat(ClosingWords.headline(List.of())).isEqualTo("No rows were written");
    }

    private String words(SyntheticRun run) throws IOException {
        return ClosingWords.of(List.of(run.read(folder)));
    }
}
