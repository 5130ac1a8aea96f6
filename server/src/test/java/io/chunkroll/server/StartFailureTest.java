package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class StartFailureTest {
    private static String message(Map<String, String> settings, String log) {
        return StartFailure.of(5555, ServerSettings.of(settings), log).getMessage();
    }

    @Test
    void carriesWhatTheLogTellsAndNamesTheSetting() {
        assertThat(message(Map.of("shared_buffers", "900GB", "work_mem", "4MB"), """
                        2026-01-01 10:00:00.000 UTC [77] LOG:  starting PostgreSQL 17.6
                        2026-01-01 10:00:00.000 UTC [77] FATAL:  could not map anonymous shared memory: Cannot allocate memory
                        2026-01-01 10:00:00.000 UTC [77] HINT:  reduce the request size, perhaps by reducing "shared_buffers".
                        """))
                .isEqualTo("PostgreSQL did not start; correct the setting server.shared_buffers = 900GB. It says:"
                        + " FATAL:  could not map anonymous shared memory: Cannot allocate memory"
                        + " HINT:  reduce the request size, perhaps by reducing \"shared_buffers\".");
    }

    @Test
    void listsAllSettingsWhereTheLogNamesNone() {
        assertThat(message(Map.of("huge_pages", "on"), "FATAL:  no memory"))
                .isEqualTo(
                        "PostgreSQL did not start with the settings given (server.huge_pages = on). It says: FATAL:  no memory");
        assertThat(message(Map.of(), "no such file")).isEqualTo("PostgreSQL did not start. It says: no such file");
    }

    @Test
    void aTakenPortIsWorthAnotherTry() {
        assertThat(StartFailure.of(
                        5555,
                        ServerSettings.of(Map.of()),
                        "LOG:  could not bind IPv4 address \"127.0.0.1\": Address already in use"))
                .isInstanceOf(FreePort.TakenException.class);
    }
}
