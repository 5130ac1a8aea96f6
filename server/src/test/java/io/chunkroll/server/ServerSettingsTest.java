package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
    @Test
    void givenSettingsWinAndValuesAreQuoted() {
        assertThat(ServerSettings.of(Map.of("JIT", "on", "cluster_name", "it's a \\ test", "timescaledb.x", "1"))
                        .toFile(5555))
                .contains("port = '5555'\n", "listen_addresses = '127.0.0.1'\n")
                .contains("jit = 'on'\n", "timescaledb.x = '1'\n", "shared_buffers = '256MB'\n")
                .contains("cluster_name = 'it''s a \\\\ test'\n")
                .doesNotContain("jit = 'off'");
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        assertThatThrownBy(() -> ServerSettings.of(Map.of("port", "1", "work mem\n", "2", "hba_file", "/x")))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("server.port is chosen by chunkroll")
                .hasMessageContaining("server.hba_file is chosen")
                .hasMessageContaining("is no name of a PostgreSQL setting");
    }

    @Test
    void differencesCountEffectiveValues() {
        ServerSettings running = ServerSettings.of(Map.of("work_mem", "4MB", "jit", "off"));
        assertThat(running.differencesTo(ServerSettings.of(Map.of("work_mem", "4mb"))))
                .isEmpty();
        assertThat(running.differencesTo(ServerSettings.of(Map.of("shared_buffers", "1GB"))))
                .containsExactly("shared_buffers is 256MB, asked for: 1GB", "work_mem is 4MB, asked for: the default");
    }
}
