package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FleetOptionsTest {

    @Test
    void allFaultsAreNamedAtOnce() {
        assertThatThrownBy(() -> new FleetOptions(DataSets.CPU, -1, 0, Instant.MIN, Duration.ofNanos(1_500), 1, -2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "source.rows is -1",
                        "source.devices is 0",
                        "source.rate is -2",
                        "source.start",
                        "PT0.0000015S");
    }

    @Test
    void rowsAfterPostgresLastTimeAreRefused() {
        assertThatThrownBy(() -> new FleetOptions(DataSets.CPU, 1_000_000, 1, Fleets.START, Duration.ofDays(365), 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("294276");
        assertThatThrownBy(() ->
                        new FleetOptions(DataSets.CPU, 1, 1, Fleets.START, Duration.ofSeconds(Long.MAX_VALUE), 1, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLastStepIsOfTheFirstDevices() {
        FleetOptions fleet = Fleets.cpu(25, 10);
        assertThat(fleet.isBounded()).isTrue();
        assertThat(fleet.devicesAt(1)).isEqualTo(10);
        assertThat(fleet.devicesAt(2)).isEqualTo(5);
        assertThat(fleet.devicesAt(3)).isZero();
        assertThat(Fleets.cpu(20, 10).devicesAt(2)).isZero();
        assertThat(Fleets.cpu(0, 10).isBounded()).isFalse();
        assertThat(Fleets.cpu(0, 10).devicesAt(Long.MAX_VALUE)).isEqualTo(10);
    }

    @Test
    void aFingerprintLeavesOutTheRateAlone() {
        long fingerprint = Fleets.cpu(25, 10).fingerprint();
        assertThat(Fleets.paced(25, 10, 7).fingerprint()).isEqualTo(fingerprint);
        assertThat(Fleets.cpu(26, 10).fingerprint()).isNotEqualTo(fingerprint);
        assertThat(Fleets.cpu(25, 11).fingerprint()).isNotEqualTo(fingerprint);
        assertThat(Fleets.cpu(25, 10, 4).fingerprint()).isNotEqualTo(fingerprint);
    }
}
