package io.chunkroll.sinks.reject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RejectLogTest {
    @TempDir
    private Path temp;

    private final SimpleCounter counter = new SimpleCounter();

    private Path folder() {
        return temp.resolve("rejects");
    }

    private RejectFolder folder(long most) {
        return new RejectFolder(new RejectOptions(folder().toUri().toString(), most));
    }

    private RejectFolder unlimited() {
        return RejectFolder.at(folder().toUri().toString());
    }

    private RejectLog log(RejectFolder folder, int subtask, long checkpoint) throws IOException {
        return new RejectLog(folder, subtask, counter, checkpoint);
    }

    private static Reject reject(long offset) {
        return new Reject(new Origin("a.csv", offset, 0, "x,y".getBytes(UTF_8)), "", "no reason");
    }

    private List<String> names() throws IOException {
        if (!Files.exists(folder())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString().replaceAll("-[0-9a-f]{8}", "-NONCE"))
                    .sorted()
                    .toList();
        }
    }

    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file : files.sorted().toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    @Test
    void nothingIsWrittenWithoutRejects() throws IOException {
        try (RejectLog log = log(unlimited(), 0, 1)) {
            assertThat(log.roll()).isEmpty();
            log.publish();
        }
        assertThat(names()).isEmpty();
        assertThat(unlimited().published()).isZero();
    }

    @Test
    void eachIsALineThatTellsWhatIsKnown() throws IOException {
        try (RejectLog log = log(unlimited(), 0, 1)) {
            log.add(new Reject(
                    new Origin("ä.csv", 1L << 40, 7, "a,\"b\n\"".getBytes(UTF_8)), "größe", "no \"number\""));
            log.add(new Reject(Origin.ofNoFile(new byte[] {'a', (byte) 0xff}), "", "why"));
            log.publish();
        }
        assertThat(lines())
                .containsExactly(
                        "{\"file\":\"ä.csv\",\"offset\":1099511627776,\"line\":7,\"column\":\"größe\","
                                + "\"reason\":\"no \\\"number\\\"\",\"row\":\"a,\\\"b\\n\\\"\"}",
                        "{\"file\":null,\"offset\":null,\"line\":null,\"column\":null,\"reason\":\"why\","
                                + "\"row_base64\":\"Yf8=\"}");
        assertThat(counter.getCount()).isEqualTo(2);
    }

    @Test
    void isHiddenUntilPublishedAndPublishedOnce() throws IOException {
        try (RejectLog log = log(unlimited(), 3, 12)) {
            log.add(reject(1));
            log.add(reject(2));
            assertThat(names()).containsExactly(".rejects-3-12-NONCE");
            PendingRejects pending = log.roll().orElseThrow();
            assertThat(pending.rows()).isEqualTo(2);
            assertThat(pending.last()).isEqualTo("stands in a.csv at byte 2: no reason");
            assertThat(unlimited().published()).isZero();
            log.startsCheckpoint(15);
            log.add(reject(3));
            pending.publish();
            pending.publish();
            assertThat(names()).containsExactly(".rejects-3-15-NONCE", "rejects-3-12-NONCE-2.jsonl");
            log.publish();
        }
        assertThat(names()).containsExactly("rejects-3-12-NONCE-2.jsonl", "rejects-3-15-NONCE-1.jsonl");
        assertThat(unlimited().published()).isEqualTo(3);
        assertThat(lines()).hasSize(3);
    }

    /** A savepoint may be restored long after somebody has put the files elsewhere. */
    @Test
    void whatWasMovedAwayIsTakenForPublished() throws IOException {
        new PendingRejects(folder().toUri() + "/.rejects-0-1-abcdef01", 5, "x").publish();
        assertThat(names()).isEmpty();
    }

    @Test
    void aWriterDiscardsItsShareOfWhatComesAgain() throws IOException {
        for (int subtask = 0; subtask < 4; subtask++) {
            for (long checkpoint : new long[] {7, 8}) {
                try (RejectLog log = log(unlimited(), subtask, checkpoint)) {
                    log.add(reject(1));
                }
            }
        }
        Files.createFile(folder().resolve(".other"));
        unlimited().discardLeftOvers(1, 2, OptionalLong.of(7));
        assertThat(names())
                .containsExactly(
                        ".other",
                        ".rejects-0-7-NONCE",
                        ".rejects-0-8-NONCE",
                        ".rejects-1-7-NONCE",
                        ".rejects-2-7-NONCE",
                        ".rejects-2-8-NONCE",
                        ".rejects-3-7-NONCE");
        unlimited().discardLeftOvers(0, 1, OptionalLong.empty());
        assertThat(names()).containsExactly(".other");
    }

    @Test
    void whatIsHiddenIsRevealedInTheEnd() throws IOException {
        try (RejectLog log = log(unlimited(), 0, 1)) {
            log.add(reject(1));
            log.add(reject(2));
        }
        Files.createFile(folder().resolve(".rejects-1-1-0000"));
        unlimited().reveal();
        assertThat(names()).containsExactly("rejects-0-1-NONCE-2.jsonl");
        assertThat(unlimited().published()).isEqualTo(2);
    }

    @Test
    void asManyAsTheLimitMayBe() throws IOException {
        try (RejectLog log = log(folder(2), 0, 1)) {
            log.add(reject(1));
            log.publish();
            log.add(reject(2));
            log.publish();
            assertThatThrownBy(() -> log.add(reject(3)))
                    .isInstanceOf(TooManyRejectsException.class)
                    .hasMessage(
                            "More than 2 rows were rejected (source.max-bad-rows); the last one stands in a.csv at byte 3:"
                                    + " no reason");
        }
        assertThat(unlimited().published()).isEqualTo(2);
    }

    @Test
    void theLimitHoldsForAllWritersTogether() throws IOException {
        try (RejectLog one = log(folder(3), 0, 1);
                RejectLog other = log(folder(3), 1, 1)) {
            one.add(reject(1));
            one.add(reject(2));
            other.add(reject(3));
            other.add(reject(4));
            one.publish();
            assertThatThrownBy(other::publish).isInstanceOf(TooManyRejectsException.class);
        }
        assertThatThrownBy(() -> log(folder(3), 2, 1).add(reject(5))).isInstanceOf(TooManyRejectsException.class);
    }
}
