package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ServerUsageITCase {
    private static void write(PostgresServer server, int rows) throws Exception {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS t (n int, s text)");
            statement.execute("INSERT INTO t SELECT n, repeat('x', 100) FROM generate_series(1, " + rows + ") n");
        }
    }

    @Test
    void countsLivingAndEndedProcessesAndGoesOnAfterARestart() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            ServerUsage usage = ServerUsage.of(server);
            ServerUsage.Sample before = usage.sample();
            write(server, 200_000);
            ServerUsage.Sample after = usage.sample();
            assertThat(after.cpuSeconds().orElseThrow())
                    .isGreaterThan(before.cpuSeconds().orElseThrow() + 0.05)
                    .isLessThan(60);
            // Table and log each hold more than 20 MB.
            assertThat(after.diskWriteBytes().orElseThrow()
                            - before.diskWriteBytes().orElseThrow())
                    .isBetween(40L << 20, 200L << 20);
            server.kill();
            assertThat(usage.sample().cpuSeconds()).isEmpty();
            assertThat(usage.sample().diskWriteBytes()).isEmpty();
            server.start();
            assertThat(usage.sample().cpuSeconds().orElseThrow())
                    .isGreaterThanOrEqualTo(after.cpuSeconds().orElseThrow());
            assertThat(usage.sample().diskWriteBytes().orElseThrow())
                    .isGreaterThanOrEqualTo(after.diskWriteBytes().orElseThrow());
        }
    }
}
