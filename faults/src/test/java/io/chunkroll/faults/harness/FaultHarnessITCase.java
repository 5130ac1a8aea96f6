package io.chunkroll.faults.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Run by {@code mvn verify -Pfaults -Dfaults=100 -Dguarantee=both}; leaves its table in target/faults.md. */
@Tag("harness")
class FaultHarnessITCase {
    @Test
    void nothingIsLostAndNothingComesTwice() throws Exception {
        String seed = System.getProperty("seed", "");
        FaultHarness harness = new FaultHarness(
                Path.of("target", "flink-lib"),
                Path.of("..", "job", "target", "chunkroll-job.jar"),
                line -> System.out.printf("%tT %s%n", System.currentTimeMillis(), line));

        FaultHarness.Outcome outcome = harness.run(
                Integer.getInteger("faults", 100),
                Guarantee.parse(System.getProperty("guarantee", "both")),
                seed.isBlank() ? System.currentTimeMillis() : Long.parseLong(seed));

        System.out.println(outcome.markdown());
        Files.writeString(Path.of("target", "faults.md"), outcome.markdown());
        assertThat(outcome.complaints()).isEmpty();
    }
}
