package io.chunkroll.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What would lose rows or rejects on a cluster is refused before any server is asked. */
final class ClusterLoadTest {
    /** Nobody listens there. */
    private static final String URL = "jdbc:postgresql://127.0.0.1:1/none";

    private static List<String> faultsOf(Map<String, String> texts) {
        Map<String, String> all = new TreeMap<>(Map.of("sink.url", URL));
        all.putAll(texts);
        return faultsOf(Settings.of(all));
    }

    private static List<String> faultsOf(Settings settings) {
        List<String> faults = new ArrayList<>();
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> ClusterLoad.submit(settings))
                .satisfies(e -> faults.addAll(e.faults()));
        return faults;
    }

    @Test
    void theEmbeddedServer() {
        assertThat(faultsOf(Settings.of(Map.of()))).singleElement().asString().startsWith("sink.url: is needed");
    }

    /** The main method runs again when a JobManager fails over: it would drop what is committed. */
    @Test
    void aTableThatIsDroppedWheneverTheMainMethodRuns() {
        assertThat(faultsOf(Map.of("sink.create", "recreate")))
                .singleElement()
                .asString()
                .startsWith("sink.create: recreate is refused on a cluster")
                .contains("if-missing", "never", "drop the table by hand");
    }
}
