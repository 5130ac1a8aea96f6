package io.chunkroll.faults.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is loaded in a round, and how.
 *
 * @param layout of the table: plain, hypertable or partitioned
 * @param csv whether rows come from files, a few of them bad; otherwise they are generated
 * @param retryFor how long the sink tries by itself; short, the job fails and is restarted instead
 * @param runFolder where rejects go, in a folder of their own
 */
record LoadPlan(Guarantee guarantee, String layout, boolean csv, String retryFor, Path runFolder) {
    static final String TABLE = "cpu";
    private static final List<String> LAYOUTS = List.of("plain", "hypertable", "partitioned");
    private static final List<String> RETRIES = List.of("1 s", "1 min");
    private static final int CSV_EVERY = 3;

    /** Goes through the layouts, and through files and retries at another pace, so that all meet in time. */
    static LoadPlan ofRound(int round, Guarantee guarantee, Path runFolder) {
        return new LoadPlan(
                guarantee,
                LAYOUTS.get(round % LAYOUTS.size()),
                (round + round / LAYOUTS.size()) % CSV_EVERY == CSV_EVERY - 1,
                RETRIES.get(round % RETRIES.size()),
                runFolder);
    }

    /** The words for the job jar. */
    List<String> arguments(Rig rig, int parallelism) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "sink.url",
                rig.url(),
                "sink.user",
                rig.server().user(),
                "sink.table",
                TABLE,
                "sink.create",
                "if-missing",
                "sink.layout",
                layout,
                "sink.chunk-interval",
                Reference.CHUNK_INTERVAL,
                "sink.batch.rows",
                "1000",
                "sink.retry-for",
                retryFor,
                "job.parallelism",
                String.valueOf(parallelism),
                "job.checkpoint-interval",
                "1 s"));
        settings.put("sink.guarantee", guarantee.key());
        if (guarantee == Guarantee.EXACTLY_ONCE) {
            settings.put("sink.transaction-prefix", "faults");
        }
        settings.put("source.dataset", "cpu");
        if (csv) {
            settings.put("source.kind", "csv");
            settings.put("source.path", rig.reference().files().toString());
            settings.put("source.on-bad-row", "reject");
            settings.put("run.rejects-dir", runFolder.resolve("rejects").toString());
        } else {
            settings.putAll(Reference.SOURCE);
            settings.put("source.rate", String.valueOf(Reference.ROWS_PER_SECOND));
        }
        List<String> words = new ArrayList<>();
        settings.forEach((key, value) -> {
            words.add("--" + key);
            words.add(value);
        });
        return words;
    }

    @Override
    public String toString() {
        return guarantee.key() + ", " + layout + ", " + (csv ? "CSV files" : "generated") + ", retry for " + retryFor;
    }
}
