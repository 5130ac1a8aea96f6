package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08000", "08001", "08003", "08006", "25006", "40001", "40P01", "53100", "53300", "55P03", "57P01",
                "57P02", "57P03"
            })
    void passes(String state) {
        assertThat(RetryPolicy.isTransient(new SQLException("x", state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"22003", "23502", "23505", "23514", "28P01", "3D000", "42501", "42P01", "57014", "P0001", "XX000"
            })
    void stays(String state) {
        assertThat(RetryPolicy.isTransient(new SQLException("x", state))).isFalse();
    }

    @Test
    void withoutAStateTheCauseTells() {
        assertThat(RetryPolicy.isTransient(new SQLException("x", new IOException("reset"))))
                .isTrue();
        assertThat(RetryPolicy.isTransient(new SQLException("x"))).isFalse();
    }

    @Test
    void waitsLongerEachTimeUpToALimit() {
        assertThat(RetryPolicy.pauseMillis(1)).isEqualTo(100);
        assertThat(RetryPolicy.pauseMillis(2)).isEqualTo(200);
        assertThat(RetryPolicy.pauseMillis(6)).isEqualTo(3_000);
        assertThat(RetryPolicy.pauseMillis(1_000)).isEqualTo(3_000);
    }

    @Test
    void endsWithItsWindow() {
        RetryPolicy policy = new RetryPolicy(Duration.ofSeconds(2));
        assertThat(policy.allows(0)).isTrue();
        assertThat(policy.allows(1_999_999_999L)).isTrue();
        assertThat(policy.allows(2_000_000_000L)).isFalse();
        assertThat(new RetryPolicy(Duration.ZERO).allows(0)).isFalse();
    }

    @Test
    void limitsOfABatchArePositive() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new BatchLimits(0, 1, second)).hasMessageContaining("0 rows");
        assertThatThrownBy(() -> new BatchLimits(1, 0, second)).hasMessageContaining("0 bytes");
        assertThatThrownBy(() -> new BatchLimits(1, 1, Duration.ZERO)).hasMessageContaining("PT0S");
    }
}
