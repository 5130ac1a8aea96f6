package io.chunkroll.job.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.chunkroll.job.settings.Settings.Create;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.Settings.SourceKind;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sources.csv.CsvOptions;
import io.chunkroll.sources.csv.CsvOptions.OnBadRow;
import io.chunkroll.sources.csv.CsvOptions.QuotedNewlines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SettingsTest {

    @Test
    void defaultsAreThoseOfTheContract() {
        Settings settings = Settings.of(Map.of());

        assertThat(settings.source().kind()).isEqualTo(SourceKind.GENERATED);
        assertThat(settings.source().dataset()).get().hasToString("cpu");
        assertThat(settings.source().fleet()).get().satisfies(fleet -> {
            assertThat(fleet.rows()).isEqualTo(10_000_000);
            assertThat(fleet.devices()).isEqualTo(4_000);
            assertThat(fleet.start()).isEqualTo(Instant.parse("2016-01-01T00:00:00Z"));
            assertThat(fleet.interval()).isEqualTo(Duration.ofSeconds(10));
            assertThat(fleet.seed()).isEqualTo(123);
            assertThat(fleet.rate()).isZero();
        });
        assertThat(settings.source().csv()).isEmpty();
        assertThat(settings.sink().kind()).isEqualTo(SinkKind.COPY);
        assertThat(settings.sink().server()).isEmpty();
        assertThat(settings.sink().table()).isEqualTo("cpu");
        assertThat(settings.sink().create()).isEqualTo(Create.IF_MISSING);
        assertThat(settings.sink().layout()).isEmpty();
        assertThat(settings.sink().chunkInterval()).isEqualTo(Duration.ofHours(12));
        assertThat(settings.sink().indexes()).isEmpty();
        assertThat(settings.sink().onConflict()).isEqualTo(OnConflict.ERROR);
        assertThat(settings.sink().batch())
                .isEqualTo(new Settings.Batch(
                        OptionalInt.empty(), 32L << 20, Duration.ofSeconds(1), true, Duration.ofMinutes(2)));
        assertThat(settings.job().parallelism()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(settings.job().partitionBy()).isEmpty();
        assertThat(settings.job().checkpointInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.runDir()).isEmpty();
        assertThat(settings.watchAfter()).isZero();
        assertThat(settings.rejectsDir()).isEmpty();
    }

    @Test
    void everySettingOfFilesIsMapped() {
        Settings settings = Settings.of(List.of(
                "--source.kind",
                "csv",
                "--source.path",
                "/data/*.csv",
                "--source.csv.header",
                "no",
                "--source.csv.delimiter",
                "tab",
                "--source.csv.quote",
                "'",
                "--source.csv.escape",
                "\\",
                "--source.csv.null",
                "\\N",
                "--source.csv.time-format",
                "epoch-ms",
                "--source.csv.time-zone",
                "Europe/Berlin",
                "--source.csv.columns",
                "time, -, value",
                "--source.csv.quoted-newlines",
                "yes",
                "--source.on-bad-row",
                "reject",
                "--source.max-bad-rows=7",
                "--run.rejects-dir",
                "s3://bucket/a b/",
                "--sink.table",
                "weather"));

        CsvOptions csv = settings.source().csv().orElseThrow();
        assertThat(csv.path()).isEqualTo("/data/*.csv");
        assertThat(csv.header()).isEqualTo(CsvOptions.Header.NO);
        assertThat(csv.dialect().delimiter()).isEqualTo('\t');
        assertThat(csv.dialect().quote()).isEqualTo('\'');
        assertThat(csv.dialect().escape()).isEqualTo('\\');
        assertThat(csv.dialect().nullText()).isEqualTo("\\N");
        assertThat(csv.parse().timeFormat()).isEqualTo("epoch-ms");
        assertThat(csv.parse().zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(csv.columns()).containsExactly("time", "-", "value");
        assertThat(csv.quotedNewlines()).isEqualTo(QuotedNewlines.YES);
        assertThat(csv.onBadRow()).isEqualTo(OnBadRow.REJECT);
        assertThat(settings.source().mostRejects()).hasValue(7);
        assertThat(settings.rejectsDir()).contains("s3://bucket/a b/");
        assertThat(settings.source().dataset()).isEmpty();
    }

    @Test
    void everySettingOfSinkAndJobIsMapped() {
        Settings settings = Settings.of(Map.ofEntries(
                Map.entry("sink.kind", "copy"),
                Map.entry("sink.url", "jdbc:postgresql://db/metrics?password=hidden&sslmode=require"),
                Map.entry("sink.user", "loader"),
                Map.entry("sink.password", "secret"),
                Map.entry("sink.table", "metrics.cpu"),
                Map.entry("sink.create", "recreate"),
                Map.entry("sink.layout", "hypertable"),
                Map.entry("sink.chunk-interval", "8 h"),
                Map.entry("sink.indexes", "hostname, time desc; time"),
                Map.entry("sink.batch.rows", "5_000"),
                Map.entry("sink.batch.bytes", "4 MiB"),
                Map.entry("sink.batch.age", "250 ms"),
                Map.entry("sink.sort", "false"),
                Map.entry("sink.retry-for", "30 s"),
                Map.entry("sink.on-conflict", "replace"),
                Map.entry("job.parallelism", "3"),
                Map.entry("job.partition-by", "none"),
                Map.entry("job.checkpoint-interval", "1 min"),
                Map.entry("run.watch-after", "2 min"),
                Map.entry("run.dir", "/tmp/here")));

        assertThat(settings.sink().server()).get().satisfies(server -> {
            assertThat(server.user()).isEqualTo("loader");
            assertThat(server.password()).isEqualTo("secret");
            assertThat(server.toString()).doesNotContain("secret", "hidden");
        });
        assertThat(settings.sink().table()).isEqualTo("metrics.cpu");
        assertThat(settings.sink().create()).isEqualTo(Create.RECREATE);
        assertThat(settings.sink().layout()).contains(Layout.HYPERTABLE);
        assertThat(settings.sink().chunkInterval()).isEqualTo(Duration.ofHours(8));
        assertThat(settings.sink().indexes().orElseThrow()).hasSize(2);
        assertThat(settings.sink().batch())
                .isEqualTo(new Settings.Batch(
                        OptionalInt.of(5_000), 4L << 20, Duration.ofMillis(250), false, Duration.ofSeconds(30)));
        assertThat(settings.sink().onConflict()).isEqualTo(OnConflict.REPLACE);
        assertThat(settings.job())
                .isEqualTo(new Settings.Job(3, Optional.of("none"), Optional.empty(), false, Duration.ofMinutes(1)));
        assertThat(settings.runDir()).contains(Path.of("/tmp/here"));
        assertThat(settings.watchAfter()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void secretsAreMaskedInTheTexts() {
        Settings settings = Settings.of(Map.of(
                "sink.url", "jdbc:postgresql://db/metrics?password=hidden&sslmode=require", "sink.password", "secret"));

        assertThat(settings.texts().toString())
                .doesNotContain("secret", "hidden")
                .contains("sslmode=require");
        assertThat(settings.texts()).containsEntry("sink.password", "******");
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> Settings.of(List.of(
                        "--source.rows", "many",
                        "--sink.layuot", "plain",
                        "--sink.batch.rows", "0",
                        "--sink.load", "bulky",
                        "--source.csv.delimiter", ";",
                        "--source.columns", "5",
                        "--whatever.it.is", "x")))
                .satisfies(e -> assertThat(e.faults())
                        .satisfiesExactlyInAnyOrder(
                                f -> assertThat(f).isEqualTo("source.rows \"many\": is no whole number"),
                                f -> assertThat(f).contains("sink.layuot", "did you mean sink.layout?"),
                                f -> assertThat(f).contains("sink.batch.rows \"0\"", "must be between 1"),
                                f -> assertThat(f).contains("sink.load", "is none of live, bulk"),
                                f -> assertThat(f).contains("source.csv.delimiter", "source.kind is generated"),
                                f -> assertThat(f).isEqualTo("source.columns: is for source.dataset wide, not for cpu"),
                                f -> assertThat(f).isEqualTo("whatever.it.is: there is no such setting")));
    }

    /** On a cluster writers share a fleet that may be large; and a row that waits for one of its key had better have it before itself. */
    @Test
    void rowsMayStayWithTheirReaderOnOneMachineUnlessTheirOrderMatters() {
        assertThat(mayStay("sink.kind", "copy")).isTrue();
        assertThat(mayStay("sink.kind", "discard")).isTrue();
        assertThat(mayStay("sink.kind", "jdbc")).isFalse();
        assertThat(mayStay("sink.on-conflict", "replace")).isFalse();
        assertThat(mayStay("sink.guarantee", "exactly-once")).isFalse();
        assertThat(Settings.of(Map.of()).job().mayStay()).isFalse();
    }

    private static boolean mayStay(String key, String value) {
        return Settings.ofLocalRun(Map.of(key, value)).job().mayStay();
    }

    /** Without an index there is nothing to do it for. */
    @Test
    void rowsOfABulkLoadAreSortedAndDividedOnlyWhenAskedFor() {
        Settings bulk = Settings.of(Map.of("sink.load", "bulk"));
        assertThat(bulk.sink().load()).isEqualTo(Settings.Load.BULK);
        assertThat(bulk.sink().batch().sorted()).isFalse();
        assertThat(bulk.texts()).containsEntry("sink.sort", "false");
        assertThat(bulk.job().partitionBy()).hasValue(Settings.Job.NONE);
        assertThat(Settings.of(Map.of("sink.load", "bulk", "sink.sort", "true"))
                        .job()
                        .partitionBy())
                .isEmpty();
        assertThat(Settings.of(Map.of("sink.load", "bulk", "sink.sort", "true"))
                        .sink()
                        .batch()
                        .sorted())
                .isTrue();
        assertThat(Settings.of(Map.of()).sink().batch().sorted()).isTrue();
    }

    /** The server may refuse generated rows, too. */
    @Test
    void generatedRowsMayBeRejected() {
        assertThat(Settings.of(Map.of()).source().mostRejects()).isEmpty();
        assertThat(Settings.of(Map.of("source.on-bad-row", "reject")).source().mostRejects())
                .hasValue(Long.MAX_VALUE);
        assertThat(Settings.of(Map.of("source.on-bad-row", "reject", "source.max-bad-rows", "0"))
                        .source()
                        .mostRejects())
                .hasValue(0);
    }

    @Test
    void combinationsThatCannotBeAreRefused() {
        assertFault(Map.of("source.kind", "csv", "sink.table", "t"), "source.path: source.kind csv needs");
        assertFault(Map.of("source.kind", "csv", "source.path", "x"), "sink.table: is needed");
        assertFault(Map.of("run.watch-after", "soon"), "run.watch-after \"soon\": is no time span");
        assertFault(Map.of("sink.batch.age", "0 s"), "sink.batch.age \"0 s\": must be more than nothing");
        assertFault(
                Map.of("sink.url", "jdbc:postgresql://h/d", "server.work_mem", "1MB"),
                "server.work_mem: is a setting of the embedded");
        assertFault(Map.of("sink.url", "jdbc:postgresql://me:secret@h:5432/d"), "before an @, which the driver");
        assertFault(Map.of("sink.user", "me"), "sink.user: is for the server of sink.url");
        assertFault(Map.of("sink.kind", "jdbc", "sink.sort", "true"), "sink.sort: is for sink.kind copy");
        assertFault(
                Map.of("sink.create", "never", "sink.indexes", "none"), "sink.indexes: is for a table that is made");
        assertFault(Map.of("sink.layout", "partitioned", "sink.chunk-interval", "1500 ms"), "whole seconds");
        assertFault(
                Map.of("source.kind", "csv", "source.path", "x", "sink.table", "t", "source.max-bad-rows", "3"),
                "source.max-bad-rows: has a meaning only with");
        assertFault(
                Map.of("run.rejects-dir", "/x"), "run.rejects-dir: has a meaning only with source.on-bad-row reject");
        assertFault(
                Map.of("source.on-bad-row", "reject", "run.rejects-dir", "s3:"),
                "run.rejects-dir \"s3:\": is no path and no URI");
        assertFault(
                Map.of("sink.kind", "jdbc", "sink.guarantee", "exactly-once"),
                "sink.guarantee: exactly-once is for sink.kind copy");
        assertFault(
                Map.of("sink.guarantee", "exactly-once", "sink.on-conflict", "replace"),
                "sink.on-conflict: skip and replace go through a temporary table");
        assertFault(Map.of("sink.kind", "discard", "sink.on-conflict", "skip"), "sink.on-conflict: is for a table");
        assertFault(Map.of("sink.indexes", "a,,b"), "sink.indexes: no column");
    }

    /** A run on this machine clears away what was left under its prefix, which a cluster's load is to find again. */
    @Test
    void aLocalRunHasATransactionPrefixOfItsOwn() {
        List<String> words = List.of("--sink.guarantee", "exactly-once", "--sink.table", "cpu");
        assertThat(Settings.of(words).sink().transactionPrefix()).contains("cpu");
        assertThat(Settings.ofLocalRun(words).sink().transactionPrefix()).contains("local-cpu");
        List<String> chosen = List.of("--sink.guarantee", "exactly-once", "--sink.transaction-prefix", "mine");
        assertThat(Settings.ofLocalRun(chosen).sink().transactionPrefix()).contains("mine");
    }

    private static void assertFault(Map<String, String> texts, String fault) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> Settings.of(texts))
                .satisfies(
                        e -> assertThat(e.faults()).singleElement().asString().contains(fault));
    }

    @Test
    void wordsThatAreNoSettingsAreRefused() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() ->
                        Settings.of(List.of("copy", "--sink.kind", "jdbc", "--sink.kind", "copy", "--sink.table")))
                .satisfies(e -> assertThat(e.faults())
                        .containsExactly(
                                "copy: stands alone; settings are given as --key value",
                                "sink.kind: is given twice",
                                "sink.table: has no value behind it"));
    }

    @Test
    void aFileIsReadAndTheCommandLineWins(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("load.yaml"), """
                source:
                  rows: 500
                  devices: 10
                sink.layout: partitioned
                sink:
                  batch: {rows: 100}
                  indexes: time desc
                """);

        Settings settings = Settings.of(List.of("--config", file.toString(), "--source.rows", "600"));

        assertThat(settings.source().fleet().orElseThrow().rows()).isEqualTo(600);
        assertThat(settings.source().fleet().orElseThrow().devices()).isEqualTo(10);
        assertThat(settings.sink().layout()).contains(Layout.PARTITIONED);
        assertThat(settings.sink().batch().rows()).hasValue(100);
    }

    @Test
    void aFileThatCannotBeReadIsAFault(@TempDir Path folder) throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.yaml"), "source: [unclosed");

        assertFaultOfFile(broken, "is no YAML");
        assertFaultOfFile(folder.resolve("missing.yaml"), "there is no such file");
    }

    private static void assertFaultOfFile(Path file, String fault) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> Settings.of(List.of("--config", file.toString())))
                .satisfies(
                        e -> assertThat(e.faults()).singleElement().asString().contains(file.toString(), fault));
    }

    @Test
    void unitsAreUnderstood() {
        assertThat(Setting.bytes("16MB")).isEqualTo(16L << 20);
        assertThat(Setting.bytes("16 MiB")).isEqualTo(16L << 20);
        assertThat(Setting.bytes("512 kb")).isEqualTo(512L << 10);
        assertThat(Setting.bytes("100")).isEqualTo(100);
        assertThat(Setting.duration("90 min")).isEqualTo(Duration.ofMinutes(90));
        assertThat(Setting.duration("7 d")).isEqualTo(Duration.ofDays(7));
    }

    private static List<String> faultsOf(String... arguments) {
        try {
            Settings.of(List.of(arguments));
            return List.of();
        } catch (SettingsException e) {
            return e.faults();
        }
    }

    @Test
    void faultsOfWordsAndOfValuesAreToldTogether() {
        assertThat(faultsOf("--source.rows", "x", "--run.dir", "", "--server.port", "1", "--sink.table"))
                .anyMatch(fault -> fault.startsWith("sink.table: has no value"))
                .anyMatch(fault -> fault.startsWith("source.rows \"x\""))
                .anyMatch(fault -> fault.startsWith("run.dir \"\": is empty"))
                .anyMatch(fault -> fault.startsWith("server.port is chosen by chunkroll"));
    }

    @Test
    void aFileSaysEachThingOnceAndItsContentIsNotShown(@TempDir Path folder) throws IOException {
        Path twice = Files.writeString(folder.resolve("twice.yaml"), "source.rows: 1\nsource.rows: 2\n");
        Path two = Files.writeString(folder.resolve("two.yaml"), "source.rows: 1\n---\nsource.seed: 2\n");
        Path broken = Files.writeString(folder.resolve("broken.yaml"), "sink.password: geheim\n x: y\n");

        assertThat(faultsOf("--config", twice.toString()))
                .singleElement()
                .asString()
                .contains("source.rows");
        assertThat(faultsOf("--config", two.toString()))
                .singleElement()
                .asString()
                .contains("several documents");
        assertThat(faultsOf("--config", broken.toString()))
                .singleElement()
                .asString()
                .contains("is no YAML")
                .doesNotContain("geheim", "\n");
    }
}
