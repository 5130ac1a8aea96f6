package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FleetTagsTest {
    private static final int HOSTS = 5_000;

    private final FleetTags tags = DataSets.tsbsCpu(TagPlace.TABLE).tags().orElseThrow();

    @Test
    void aHostsTagsAreFixedByTheSeed() {
        assertThat(tags.names())
                .containsExactly(
                        "hostname",
                        "region",
                        "datacenter",
                        "rack",
                        "os",
                        "arch",
                        "team",
                        "service",
                        "service_version",
                        "service_environment");
        assertThat(tags.values(123, 17)).isEqualTo(tags.values(123, 17)).hasSize(10);
        assertThat(tags.values(123, 17).get(0)).isEqualTo("host_17");
        assertThat(tags.values(123, Integer.MAX_VALUE - 1).get(0)).isEqualTo("host_2147483646");
        assertThat(tags.values(124, 17)).isNotEqualTo(tags.values(123, 17));
        assertThat(FleetTags.id(0)).isEqualTo(1);
    }

    @Test
    void everyChoiceIsMadeAboutAsOften() {
        Map<String, Map<String, Integer>> counts = new HashMap<>();
        for (int device = 0; device < HOSTS; device++) {
            List<String> values = tags.values(Fleets.SEED, device);
            for (int i = 0; i < values.size(); i++) {
                counts.computeIfAbsent(tags.names().get(i), name -> new HashMap<>())
                        .merge(values.get(i), 1, Integer::sum);
            }
        }
        assertThat(counts.get("hostname")).hasSize(HOSTS);
        assertChoices(counts.get("region"), 9);
        assertChoices(counts.get("rack"), 100);
        assertChoices(counts.get("service"), 20);
        assertThat(new TreeSet<>(counts.get("os").keySet()))
                .containsExactly("Ubuntu15.10", "Ubuntu16.04LTS", "Ubuntu16.10");
        assertThat(new TreeSet<>(counts.get("arch").keySet())).containsExactly("x64", "x86");
        assertThat(new TreeSet<>(counts.get("team").keySet())).containsExactly("CHI", "LON", "NYC", "SF");
        assertThat(new TreeSet<>(counts.get("service_version").keySet())).containsExactly("0", "1");
        assertThat(new TreeSet<>(counts.get("service_environment").keySet()))
                .containsExactly("production", "staging", "test");
    }

    private static void assertChoices(Map<String, Integer> counts, int choices) {
        assertThat(counts).hasSize(choices);
        assertThat(counts.values())
                .allSatisfy(count -> assertThat(count).isBetween(HOSTS / choices / 3, HOSTS / choices * 2));
    }

    @Test
    void aDatacenterIsOneOfItsRegion() {
        Map<String, Set<String>> datacenters = new HashMap<>();
        for (int device = 0; device < HOSTS; device++) {
            List<String> values = tags.values(Fleets.SEED, device);
            assertThat(values.get(2))
                    .startsWith(values.get(1))
                    .hasSize(values.get(1).length() + 1);
            datacenters
                    .computeIfAbsent(values.get(1), region -> new HashSet<>())
                    .add(values.get(2));
        }
        assertThat(datacenters.values()).allSatisfy(zones -> assertThat(zones).hasSizeBetween(2, 4));
    }

    @Test
    void tagsInColumnsNeedNoTable() {
        DataSet columns = DataSets.tsbsCpu(TagPlace.COLUMNS);
        assertThat(columns.tags()).isEmpty();
        FleetOptions fleet = Fleets.of(columns, 30, 10);
        String[] lines = Text.csv(fleet).split("\n");
        for (int row = 0; row < lines.length; row++) {
            assertThat(List.of(lines[row].split(",")).subList(1, 11)).isEqualTo(tags.values(Fleets.SEED, row % 10));
        }
    }
}
