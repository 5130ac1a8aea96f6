package io.chunkroll.sinks.reject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private RejectFolder folder(String load, long most) {
        return new RejectFolder(new RejectOptions(folder().toUri().toString(), load, most));
    }

    private RejectFolder folder(long most) {
        return folder("cpu", most);
    }

    private RejectFolder unlimited() {
        return folder(RejectOptions.NO_LIMIT);
    }

    private RejectFolder other(String load) {
        return folder(load, RejectOptions.NO_LIMIT);
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

    /** Flink lists names first and looks at each file afterwards, of which some have other names by then. */
    @Test
    void writersThatPublishDoNotDisturbEachOther() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> counting = CompletableFuture.runAsync(() -> {
            try {
                while (!done.get()) {
                    unlimited().published();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (RejectLog log = log(unlimited(), 0, 1)) {
            for (int i = 0; i < 1_000; i++) {
                log.add(reject(i));
                log.publish();
            }
        } finally {
            done.set(true);
        }
        counting.get(10, TimeUnit.SECONDS);
        assertThat(unlimited().published()).isEqualTo(1_000);
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
            assertThat(names()).containsExactly(".rejects-cpu-3-12-NONCE");
            PendingRejects pending = log.roll().orElseThrow();
            assertThat(pending.rows()).isEqualTo(2);
            assertThat(pending.last()).isEqualTo("stands in a.csv at byte 2: no reason");
            assertThat(unlimited().published()).isZero();
            log.startsCheckpoint(15);
            log.add(reject(3));
            pending.publish();
            pending.publish();
            assertThat(names()).containsExactly(".rejects-cpu-3-15-NONCE", "rejects-cpu-3-12-NONCE-2.jsonl");
            log.publish();
        }
        assertThat(names()).containsExactly("rejects-cpu-3-12-NONCE-2.jsonl", "rejects-cpu-3-15-NONCE-1.jsonl");
        assertThat(unlimited().published()).isEqualTo(3);
        assertThat(lines()).hasSize(3);
    }

    private PendingRejects pending(String name) {
        return new PendingRejects(folder().toUri() + "/" + name, 5, "stands in a.csv at byte 2: no reason");
    }

    @Test
    void whatIsUnderNeitherNameIsAnErrorThatSaysWhatToDo() throws IOException {
        assertThatThrownBy(() -> pending(".rejects-cpu-0-1-abcdef01").publish())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rejects/.rejects-cpu-0-1-abcdef01 with 5 rejected rows is not there")
                .hasMessageContaining("rejects-cpu-0-1-abcdef01-5.jsonl")
                .hasMessageContaining("stands in a.csv at byte 2")
                .hasMessageContaining("run.rejects-dir")
                .hasMessageContaining("make an empty file of that name");
        Files.createDirectory(folder());
        Files.createFile(folder().resolve("rejects-cpu-0-1-abcdef01-5.jsonl"));
        pending(".rejects-cpu-0-1-abcdef01").publish();
        assertThat(names()).containsExactly("rejects-cpu-0-1-NONCE-5.jsonl");
    }

    /** As it is left by a file system that copies and deletes, and is killed between the two. */
    @Test
    void whatIsUnderBothNamesIsPublished() throws IOException {
        Files.createDirectory(folder());
        Files.writeString(folder().resolve(".rejects-cpu-0-1-abcdef01"), "x\n");
        Files.writeString(folder().resolve("rejects-cpu-0-1-abcdef01-5.jsonl"), "x\n");
        pending(".rejects-cpu-0-1-abcdef01").publish();
        assertThat(names()).containsExactly("rejects-cpu-0-1-NONCE-5.jsonl");
    }

    /** Names that are alike, one even the beginning of the other. */
    @Test
    void loadsThatShareAFolderLeaveEachOtherAlone() throws IOException {
        List<String> others = List.of("cpu-0-7", "cp", "x-cpu", "CPU", "cpu.2");
        List<PendingRejects> pending = new ArrayList<>();
        for (String load : others) {
            try (RejectLog log = log(other(load), 0, 7)) {
                log.add(reject(1));
                log.publish();
                log.add(reject(2));
                pending.add(log.roll().orElseThrow());
            }
        }
        List<String> before = names();
        try (RejectLog log = log(folder(1), 0, 1)) {
            log.add(reject(3));
            unlimited().discardLeftOvers(0, 1, OptionalLong.empty());
            assertThat(names()).isEqualTo(before);
            assertThat(unlimited().published()).isZero();
        }
        try (RejectLog log = log(folder(1), 0, 1)) {
            log.add(reject(3));
            log.publish();
        }
        unlimited().reveal();
        assertThat(unlimited().published()).isEqualTo(1);
        for (PendingRejects left : pending) {
            left.publish();
        }
        for (String load : others) {
            assertThat(other(load).published()).isEqualTo(2);
        }
        assertThat(names()).hasSize(11).noneMatch(name -> name.startsWith("."));
    }

    /** A run that begins anew cannot be told from one that goes on. */
    @Test
    void whatAnEarlierRunOfTheLoadLeftCountsForTheLimit() throws IOException {
        try (RejectLog log = log(folder(2), 0, 1)) {
            log.add(reject(1));
            log.add(reject(2));
            log.publish();
        }
        try (RejectLog log = log(folder(2), 0, 1)) {
            assertThatThrownBy(() -> log.add(reject(3))).isInstanceOf(TooManyRejectsException.class);
        }
    }

    @Test
    void aNameThatNoFileCanHaveIsRefused() {
        for (String load : List.of("", "a/b", "a:b", "a b", "x".repeat(101))) {
            assertThatThrownBy(() -> other(load)).isInstanceOf(IllegalArgumentException.class);
        }
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
                        ".rejects-cpu-0-7-NONCE",
                        ".rejects-cpu-0-8-NONCE",
                        ".rejects-cpu-1-7-NONCE",
                        ".rejects-cpu-2-7-NONCE",
                        ".rejects-cpu-2-8-NONCE",
                        ".rejects-cpu-3-7-NONCE");
        unlimited().discardLeftOvers(0, 1, OptionalLong.empty());
        assertThat(names()).containsExactly(".other");
    }

    @Test
    void whatIsHiddenIsRevealedInTheEnd() throws IOException {
        try (RejectLog log = log(unlimited(), 0, 1)) {
            log.add(reject(1));
            log.add(reject(2));
        }
        Files.createFile(folder().resolve(".rejects-cpu-1-1-0000"));
        unlimited().reveal();
        assertThat(names()).containsExactly("rejects-cpu-0-1-NONCE-2.jsonl");
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
                                    + " no reason (counted are the files rejects-cpu-… in "
                                    + folder().toUri().toString().replaceFirst("/$", "") + ")");
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
