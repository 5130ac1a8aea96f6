package io.chunkroll.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.job.run.IdleDetector.Reading;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class IdleDetectorTest {
    private static final double LOAD_END = 40;

    private double cpu = 7;
    private long bytes = 1 << 30;
    private double now = LOAD_END;
    private boolean pending;

    private final IdleDetector detector = new IdleDetector(reading());

    private Reading reading() {
        return new Reading(now, cpu, OptionalLong.of(bytes), pending);
    }

    private void second(double cores, long written) {
        now += 1;
        cpu += cores;
        bytes += written;
        detector.saw(reading());
    }

    @Test
    void aServerThatDoesNothingWasDoneAtTheLoadsEnd() {
        for (int i = 0; i < 4; i++) {
            second(0.01, 0);
            assertThat(detector.isIdle()).isFalse();
        }
        second(0.01, 0);

        assertThat(detector.isIdle()).isTrue();
        assertThat(detector.end().seconds()).isEqualTo(LOAD_END);
        AfterLoad after = AfterLoad.between(
                new Reading(LOAD_END, 7, OptionalLong.of(1 << 30), false), detector.end(), AfterLoad.End.IDLE);
        assertThat(after.seconds()).isZero();
        assertThat(after.serverCpuSeconds()).isZero();
        assertThat(after.diskWriteBytes()).hasValue(0);
    }

    @Test
    void restBeginsWhereWorkEnds() {
        for (int i = 0; i < 12; i++) {
            second(0.5, 0);
        }
        assertThat(detector.isIdle()).isFalse();
        assertThat(detector.end().seconds()).isEqualTo(LOAD_END + 12);
        for (int i = 0; i < 4; i++) {
            second(0, 0);
            assertThat(detector.isIdle()).isFalse();
        }
        second(0, 0);

        assertThat(detector.isIdle()).isTrue();
        assertThat(detector.end()).isEqualTo(new Reading(LOAD_END + 12, 13, OptionalLong.of(1 << 30), false));
    }

    @Test
    void writingWithoutCpuIsWork() {
        for (int i = 0; i < 20; i++) {
            second(0, 128 << 10);
        }
        assertThat(detector.isIdle()).isFalse();
        for (int i = 0; i < 5; i++) {
            second(0, 60 << 10);
        }
        assertThat(detector.isIdle()).isTrue();
    }

    @Test
    void aCheckpointThatIsToComeIsWaitedFor() {
        pending = true;
        for (int i = 0; i < 60; i++) {
            second(0, 0);
            assertThat(detector.isIdle()).isFalse();
        }
        assertThat(detector.end().checkpointPending()).isTrue();
        pending = false;
        for (int i = 0; i < 5; i++) {
            second(0, 0);
            assertThat(detector.isIdle()).isFalse();
        }
        second(0, 0);

        assertThat(detector.isIdle()).isTrue();
        assertThat(detector.end().seconds()).isEqualTo(LOAD_END + 61);
    }

    @Test
    void shortBurstsKeepItAwake() {
        for (int i = 0; i < 30; i++) {
            second(i % 4 == 0 ? 0.2 : 0, 0);
            assertThat(detector.isIdle()).isFalse();
        }
    }

    /** Where writes cannot be seen the CPU decides; looks that are far apart are averages over their whole distance. */
    @Test
    void looksMayBeFarApartAndWritesUnseen() {
        IdleDetector blind = new IdleDetector(new Reading(0, 0, OptionalLong.empty(), false));
        blind.saw(new Reading(30, 0.7, OptionalLong.empty(), false));
        assertThat(blind.isIdle()).isFalse();
        blind.saw(new Reading(60, 0.8, OptionalLong.empty(), false));

        assertThat(blind.isIdle()).isTrue();
        assertThat(blind.end().seconds()).isEqualTo(30);
    }
}
