package io.chunkroll.job.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.chunkroll.sources.fleet.DataSets;
import io.chunkroll.sources.fleet.FleetOptions;
import io.chunkroll.sources.fleet.TagPlace;
import io.chunkroll.sources.fleet.ValueType;
import io.chunkroll.sources.fleet.WideOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is generated, and what each data set makes of what is not said. */
final class DataSetSettingsTest {

    private static FleetOptions fleet(String... pairs) {
        return Settings.of(texts(pairs)).source().fleet().orElseThrow();
    }

    private static Map<String, String> texts(String... pairs) {
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            texts.put(pairs[i], pairs[i + 1]);
        }
        return texts;
    }

    @ParameterizedTest
    @CsvSource({
        "cpu, cpu, 4000, PT10S, PT12H",
        "tsbs-cpu, cpu, 4000, PT10S, PT12H",
        "wide, wide, 100000, PT1S, PT12H",
        "mixed, mixed, , PT1S, PT168H",
        "customer, customer, , PT0.001S, PT12H"
    })
    void eachHasDefaultsOfItsOwn(String dataset, String table, Integer devices, Duration interval, Duration chunk) {
        Settings settings = Settings.of(Map.of("source.dataset", dataset));
        FleetOptions fleet = settings.source().fleet().orElseThrow();
        assertThat(settings.sink().table()).isEqualTo(table);
        assertThat(settings.sink().chunkInterval()).isEqualTo(chunk);
        assertThat(fleet.interval()).isEqualTo(interval);
        if (devices == null) {
            assertThat(settings.texts()).doesNotContainKey("source.devices");
        } else {
            assertThat(fleet.devices()).isEqualTo(devices);
            assertThat(settings.texts()).containsEntry("source.devices", devices.toString());
        }
    }

    @Test
    void whatIsSaidWins() {
        FleetOptions fleet =
                fleet("source.dataset", "wide", "source.devices", "7", "source.interval", "3 s", "source.rate", "11");
        assertThat(fleet.devices()).isEqualTo(7);
        assertThat(fleet.interval()).isEqualTo(Duration.ofSeconds(3));
        assertThat(fleet.rate()).isEqualTo(11);
        assertThat(Settings.of(Map.of("source.dataset", "mixed", "sink.chunk-interval", "1 h"))
                        .sink()
                        .chunkInterval())
                .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void shapesAreConfigured() {
        assertThat(fleet("source.dataset", "tsbs-cpu").dataset()).isEqualTo(DataSets.tsbsCpu(TagPlace.TABLE));
        assertThat(fleet("source.dataset", "tsbs-cpu", "source.tags", "columns").dataset())
                .isEqualTo(DataSets.tsbsCpu(TagPlace.COLUMNS));
        assertThat(fleet("source.dataset", "wide").dataset()).isEqualTo(DataSets.wide(WideOptions.USUAL));
        assertThat(fleet(
                                "source.dataset",
                                "wide",
                                "source.columns",
                                "400",
                                "source.value-type",
                                "float4",
                                "source.disorder",
                                "0.1",
                                "source.nulls",
                                "0.05")
                        .dataset())
                .isEqualTo(DataSets.wide(new WideOptions(400, ValueType.FLOAT4, 0.1, 0.05)));
    }

    /** A table for a file has a shape, but nothing that only generated rows have. */
    @Test
    void aTableForAFileHasItsShape() {
        Settings settings = Settings.of(texts(
                "source.kind", "csv", "source.path", "x", "source.dataset", "wide", "source.value-type", "array"));
        assertThat(settings.source().dataset()).contains(DataSets.wide(new WideOptions(10, ValueType.ARRAY, 0, 0)));
        assertThat(settings.sink().table()).isEqualTo("wide");
        assertFault(
                "source.nulls: is for source.kind generated",
                "source.kind",
                "csv",
                "source.path",
                "x",
                "source.dataset",
                "wide",
                "source.nulls",
                "0.5");
        assertFault(
                "source.columns: is for source.dataset wide",
                "source.kind",
                "csv",
                "source.path",
                "x",
                "sink.table",
                "t",
                "source.columns",
                "5");
    }

    @Test
    void realTimeIsOneRowADeviceAndInterval() {
        assertThat(fleet("source.rate", "real-time").rate()).isEqualTo(400);
        assertThat(fleet("source.rate", "real-time", "source.devices", "3").rate())
                .isEqualTo(0.3);
        assertThat(fleet("source.rate", "real-time", "source.dataset", "customer")
                        .rate())
                .isEqualTo(1_000);
        assertFault("source.rate \"fast\": is no whole number", "source.rate", "fast");
    }

    /** A job that is submitted, or begun again, must not make other rows than before. */
    @Test
    void nowIsForARunOnThisMachine() {
        Instant before = Instant.now().minusSeconds(1);
        Settings settings = Settings.ofLocalRun(Map.of("source.start", "now"));
        Instant start = settings.source().fleet().orElseThrow().start();
        assertThat(start).isBetween(before, Instant.now());
        assertThat(settings.texts()).containsEntry("source.start", start.toString());
        assertFault("source.start: now is for a run on this machine", "source.start", "now");
    }

    @Test
    void settingsOfAnotherDataSetAreRefused() {
        assertFault("source.tags: is for source.dataset tsbs-cpu, not for cpu", "source.tags", "columns");
        assertFault(
                "source.columns: is for source.dataset wide, not for mixed",
                "source.dataset",
                "mixed",
                "source.columns",
                "5");
        assertFault(
                "source.devices: has no meaning with source.dataset customer",
                "source.dataset",
                "customer",
                "source.devices",
                "5");
    }

    @Test
    void shapesThatPostgresCannotHoldAreRefused() {
        assertFault(
                "give 1015 columns at most",
                "source.dataset",
                "wide",
                "source.columns",
                "1500",
                "source.value-type",
                "float8");
        assertFault("give 1598 at most", "source.dataset", "wide", "source.columns", "1600");
        assertFault("source.nulls \"2\": must be between 0 and 1", "source.dataset", "wide", "source.nulls", "2");
        assertFault("source.dataset \"gpu\": is none of cpu, mixed, tsbs-cpu, customer, wide", "source.dataset", "gpu");
        assertFault("2147483647 at most", "source.dataset", "mixed", "source.rows", "3_000_000_000");
    }

    private static void assertFault(String fault, String... pairs) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> Settings.of(texts(pairs)))
                .satisfies(
                        e -> assertThat(e.faults()).singleElement().asString().contains(fault));
    }
}
