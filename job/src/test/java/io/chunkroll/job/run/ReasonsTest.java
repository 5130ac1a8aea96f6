package io.chunkroll.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.sinks.table.Layout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReasonsTest {

    private static Reasons reasons(Layout layout, String... settings) {
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            texts.put(settings[i], settings[i + 1]);
        }
        return Reasons.of(Settings.ofLocalRun(texts), Optional.ofNullable(layout), Optional.empty(), Optional::empty);
    }

    @Test
    void aServerElsewhereIsNotSeen() {
        Reasons reasons = reasons(Layout.HYPERTABLE, "sink.url", "jdbc:postgresql://db/d", "run.watch-after", "5 s");

        assertThat(reasons.cpuTime()).contains("not the embedded one");
        assertThat(reasons.diskWrites()).contains("not the embedded one");
        assertThat(reasons.unwatched(true, false, false)).hasValue(reasons.cpuTime());
    }

    @Test
    void aPlainTableHasNoChunks() {
        assertThat(reasons(Layout.PLAIN).chunks()).isEqualTo("a plain table has no chunks");
        assertThat(reasons(Layout.HYPERTABLE).chunks()).isEqualTo("the server did not tell");
    }

    @Test
    void whatIsDiscardedHasNoTable() {
        Reasons reasons = reasons(null, "sink.kind", "discard");

        assertThat(reasons.table()).contains("sink.kind discard");
        assertThat(reasons.chunks()).contains("sink.kind discard");
        assertThat(reasons.log()).contains("sink.kind discard");
        assertThat(reasons.cpuTime()).contains("sink.kind discard");
        assertThat(reasons.count()).contains("sink.kind discard");
        assertThat(reasons.conflicts()).contains("sink.kind discard");
        assertThat(reasons.flushes()).contains("sink.kind discard");
        assertThat(reasons.unwatched(true, false, false))
                .hasValueSatisfying(why -> assertThat(why).contains("sink.kind discard"));
    }

    @Test
    void aLoadIsWatchedOnWhenThatIsAskedForAndItCameToItsEnd() {
        assertThat(reasons(Layout.PLAIN).unwatched(true, false, true))
                .hasValueSatisfying(why -> assertThat(why).contains("run.watch-after is 0 s"));
        Reasons asked = reasons(Layout.PLAIN, "run.watch-after", "1 min");
        assertThat(asked.unwatched(true, false, true)).isEmpty();
        assertThat(asked.unwatched(true, true, true))
                .hasValueSatisfying(why -> assertThat(why).contains("stopped"));
        assertThat(asked.unwatched(false, false, true))
                .hasValueSatisfying(why -> assertThat(why).contains("failed"));
    }

    @Test
    void settingsAreNamedWhereTheyAreTheReason() {
        assertThat(reasons(Layout.PLAIN).conflicts()).contains("sink.on-conflict error");
        assertThat(reasons(Layout.PLAIN, "sink.kind", "jdbc", "sink.on-conflict", "skip")
                        .conflicts())
                .contains("JDBC sink does not tell");
        assertThat(reasons(Layout.PLAIN).indexes()).contains("sink.load live");
        assertThat(reasons(Layout.PLAIN, "sink.load", "bulk").indexes()).contains("did not come so far");
    }

    @Test
    void theServersOwnWordsAreGivenWhereALookFailed() {
        Reasons reasons = new Reasons(
                Settings.ofLocalRun(Map.of()),
                Optional.of(Layout.HYPERTABLE),
                "",
                "",
                () -> Optional.of("permission denied for view chunks"));

        assertThat(reasons.chunks()).contains("permission denied");
        assertThat(reasons.log()).contains("permission denied");
        assertThat(reasons.table()).contains("permission denied");
    }
}
