package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of TSBS, and hosts whose tags stand in a table of their own. */
@Timeout(240)
final class TsbsRunITCase extends LoadScenario {
    private static final int HOSTS = 100;
    private static final int ROWS = 36_000;

    private int runs;

    @Override
    List<String> always() {
        return List.of("job.parallelism 2");
    }

    private LoadResult load(String... settings) {
        return runInto("run" + runs++, settings);
    }

    private void succeed(String... settings) {
        load(settings).succeeded();
    }

    /** 100 hosts for an hour. */
    private Path generated() {
        return generate("cpu.tsbs", "source.dataset tsbs-cpu", "source.devices " + HOSTS, "source.rows " + ROWS);
    }

    private static long sum(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.matches("cpu,\\d.*"))
                .mapToLong(line -> List.of(line.split(",")).stream()
                        .skip(2)
                        .mapToLong(Long::parseLong)
                        .sum())
                .sum();
    }

    private static String sumOf(String table) {
        return "SELECT sum(usage_user + usage_system + usage_idle + usage_nice + usage_iowait + usage_irq + usage_softirq"
                + " + usage_steal + usage_guest + usage_guest_nice)::bigint FROM " + table;
    }

    @ParameterizedTest
    @ValueSource(strings = {"at-least-once", "exactly-once"})
    void aFileFillsBothTablesAndASecondOneAddsNoHosts(String guarantee) throws IOException {
        Path file = generated();
        String[] words = {
            "source.kind tsbs", "source.path " + file, "sink.layout hypertable", "sink.guarantee " + guarantee
        };
        succeed(words);
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(ROWS);
        assertThat(database.count("SELECT count(*) FROM tags")).isEqualTo(HOSTS);
        assertThat(database.count(
                        "SELECT count(*) FROM cpu JOIN tags ON id = tags_id WHERE region <> '' AND team <> ''"))
                .isEqualTo(ROWS);
        assertThat(database.count("SELECT max(n) - min(n) FROM (SELECT count(*) n FROM cpu GROUP BY tags_id) hosts"))
                .as("each host has its own rows")
                .isZero();
        assertThat(database.count(sumOf("cpu"))).isEqualTo(sum(file));
        assertThat(database.count("SELECT count(*) FROM cpu WHERE additional_tags IS NOT NULL"))
                .isZero();
        succeed(words);
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(2 * ROWS);
        assertThat(database.count("SELECT count(*) FROM tags")).isEqualTo(HOSTS);
    }

    @Test
    void aFileAndWhatIsGeneratedAreTheSameForEachHost() {
        Path file = generated();
        succeed("source.kind tsbs", "source.path " + file, "sink.table read", "sink.tags-table read_tags");
        succeed(
                "source.dataset tsbs-cpu",
                "source.devices " + HOSTS,
                "source.rows " + ROWS,
                "sink.table made",
                "sink.tags-table made_tags");
        assertThat(database.one(hash("read"))).isEqualTo(database.one(hash("made")));
        assertThat(database.count("SELECT max(id) FROM made_tags")).isEqualTo(HOSTS);
        assertThat(database.count("SELECT nextval(pg_get_serial_sequence('made_tags', 'id'))"))
                .isEqualTo(HOSTS + 1);

        succeed("source.kind tsbs", "source.path " + file, "sink.table flat", "source.tags columns");
        assertThat(database.one(
                        "SELECT count(*) || ' ' || sum(hashtextextended((time, hostname, region, rack, usage_user)::text, 0)::numeric)"
                                + " FROM flat"))
                .isEqualTo(database.one(hash("made")));
    }

    private static String hash(String table) {
        return "SELECT count(*) || ' ' || sum(hashtextextended((time, hostname, region, rack, usage_user)::text, 0)::numeric) FROM "
                + table + " JOIN " + table + "_tags ON id = tags_id";
    }

    @Test
    void aTableOfOtherHostsIsRefusedAndALargerFleetAddsItsOwn() {
        String[] words = {"source.dataset tsbs-cpu", "source.rows 1000"};
        succeed(and(words, "source.devices 50"));
        succeed(and(words, "source.devices 80"));
        assertThat(database.count("SELECT count(*) FROM tags")).isEqualTo(80);
        LoadResult other = load(and(words, "source.devices 80", "source.seed 7"));
        other.ended(1);
        assertThat(other.said()).contains("tags (sink.tags-table) holds other hosts");
        succeed(and(words, "source.devices 60", "source.seed 7", "sink.create recreate"));
        assertThat(database.count("SELECT count(*) FROM tags")).isEqualTo(60);
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(1_000);
    }

    @Test
    void manyHostsAreAddedByTwoSubtasksAtOnce() throws IOException {
        int hosts = 60_000;
        Path file = folder.resolve("many.tsbs");
        String rows = IntStream.range(0, 2 * hosts)
                .mapToObj(i -> "tags,name=truck_" + (i * 7L % hosts) + ",load_capacity=1.5,color=red\nreadings,"
                        + (1451606400000000000L + i * 1000L) + "," + i + ",\n")
                .collect(Collectors.joining());
        Files.writeString(
                file,
                "tags,name string,load_capacity float32\nreadings,latitude,velocity\ndiagnostics,fuel\n\n" + rows
                        + "tags,name=truck_1\ndiagnostics,1451606400000000000,1\n");
        LoadResult unclear = load("source.kind tsbs", "source.path " + file);
        unclear.ended(1);
        assertThat(unclear.said()).contains("several measurements");
        succeed("source.kind tsbs", "source.path " + file, "source.tsbs.measurement readings");
        assertThat(database.count("SELECT count(*) FROM readings")).isEqualTo(2L * hosts);
        assertThat(database.count("SELECT count(DISTINCT name) FROM tags")).isEqualTo(hosts);
        assertThat(database.count("SELECT count(*) FROM readings JOIN tags ON id = tags_id"
                        + " WHERE name = 'truck_' || (latitude * 7)::bigint % " + hosts
                        + " AND velocity IS NULL AND additional_tags = '{\"color\": \"red\"}'"))
                .isEqualTo(2L * hosts);
        assertThat(database.one("SELECT sum(load_capacity)::text FROM tags")).isEqualTo("" + 3 * hosts / 2);
    }

    @Test
    void badPairsAreSetAside() throws IOException {
        Path file = generated();
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(4, "cpu,never,1,2,3,4,5,6,7,8,9,10");
        lines.remove(8);
        Files.write(file, lines);
        LoadResult cli = load("source.kind tsbs", "source.path " + file, "source.on-bad-row reject");
        cli.ended(3);
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(ROWS - 2);
    }

    @Test
    void theJdbcSinkFindsTheSameIds() {
        succeed("source.kind tsbs", "source.path " + generated(), "sink.kind jdbc");
        assertThat(database.count("SELECT count(*) FROM cpu JOIN tags ON id = tags_id"))
                .isEqualTo(ROWS);
        assertThat(database.count("SELECT count(*) FROM tags")).isEqualTo(HOSTS);
    }

    @Test
    void aTagsTableThatWouldDoubleHostsOrIsTheTableItselfIsRefused() {
        String file = generated().toString();
        LoadResult same = load("source.kind tsbs", "source.path " + file, "sink.tags-table cpu");
        same.ended(1);
        assertThat(same.said()).contains("are the same table");
        database.execute(
                "CREATE TABLE bare (id serial, hostname text, region text, datacenter text, rack text, os text, arch text,"
                        + " team text, service text, service_version text, service_environment text)");
        LoadResult bare = load("source.kind tsbs", "source.path " + file, "sink.tags-table bare");
        bare.ended(1);
        assertThat(bare.said()).contains("bare (sink.tags-table) has no unique index on hostname");
        database.execute("CREATE TABLE other (id serial, name text UNIQUE)");
        LoadResult other = load("source.kind tsbs", "source.path " + file, "sink.tags-table other");
        other.ended(1);
        assertThat(other.said()).contains("other (sink.tags-table) has no column hostname");
    }

    @Test
    void discardedRowsNeedNoTags() {
        succeed("source.kind tsbs", "source.path " + generated(), "sink.kind discard");
    }

    @Test
    void settingsOfOtherSourcesAreRefused() {
        LoadResult cli = load(
                "source.kind tsbs", "source.dataset cpu", "source.rows 5", "source.csv.quote none", "source.columns 4");
        cli.ended(2);
        assertThat(cli.said())
                .contains("source.path: source.kind tsbs needs")
                .contains("source.dataset: is not for source.kind tsbs")
                .contains("source.rows: is for source.kind generated, but source.kind is tsbs")
                .contains("source.csv.quote: is for source.kind csv, but source.kind is tsbs")
                .contains("source.columns: is for source.dataset wide");
    }
}
