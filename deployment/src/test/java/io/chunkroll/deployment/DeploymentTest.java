package io.chunkroll.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chunkroll.deployment.Breaks.Break;
import io.chunkroll.job.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code k8s/} holds what it should, and a broken copy of any of its files is refused. {@code mvn test -pl deployment -am
 * -Dtest=DeploymentTest -Dchunkroll.write-docs=true -Dsurefire.failIfNoSpecifiedTests=false} makes the PrometheusRule and renders the overlays
 * anew.
 */
final class DeploymentTest {
    @BeforeAll
    static void makeRulesForOperator() throws IOException {
        if (Boolean.getBoolean("chunkroll.write-docs")) {
            Monitoring monitoring = new Monitoring(Overlays.K8S);
            Files.writeString(Overlays.K8S.resolve(Monitoring.FOR_OPERATOR), monitoring.rulesForOperator());
        }
    }

    @Test
    void nothingIsWrong() {
        assertThat(new Overlays(Overlays.K8S).faults(Overlays.NAMES)).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("io.chunkroll.deployment.Overlays#NAMES")
    void nothingIsWrongWithWhatIsRendered(String overlay) {
        assertThat(Overlays.faults(overlay, RenderedOverlays.read(overlay))).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("io.chunkroll.deployment.Overlays#NAMES")
    void whatIsRenderedIsOfTheSourcesAsTheyAre(String overlay) throws IOException {
        Optional<Kustomize> kustomize = Kustomize.find();
        if (kustomize.isPresent()) {
            String rendered = kustomize.get().render(Overlays.K8S.resolve("overlays/" + overlay));
            if (Boolean.getBoolean("chunkroll.write-docs")) {
                RenderedOverlays.write(overlay, rendered);
            }
            assertThat(trees(RenderedOverlays.read(overlay))).isEqualTo(trees(rendered));
        }
        assertThat(RenderedOverlays.read(overlay)).startsWith(RenderedOverlays.head());
    }

    private static List<Manifest> trees(String rendered) {
        return Manifest.parse("", rendered);
    }

    @ParameterizedTest
    @MethodSource("io.chunkroll.deployment.Breaks#all")
    void aBrokenCopyIsRefused(Break broken, @TempDir Path folder) throws IOException {
        assumeTrue(
                !broken.rendered() || Kustomize.find().isPresent(),
                "needs kubectl or kustomize, of which this machine has none");
        copy(folder);
        Path file = folder.resolve(broken.file());
        String text = Files.readString(file);
        assertThat(text).contains(broken.good());
        Files.writeString(file, text.replace(broken.good(), broken.bad()));

        assertThat(new Overlays(folder).faults(List.of(broken.overlay())))
                .anySatisfy(fault -> assertThat(fault).contains(broken.refusal()));
    }

    private static void copy(Path folder) throws IOException {
        Overlays k8s = new Overlays(Overlays.K8S);
        for (Path file : k8s.files()) {
            Path copy = folder.resolve(k8s.root().relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }

    @Test
    void everyFileIsBrokenOnce() {
        Overlays k8s = new Overlays(Overlays.K8S);
        assertThat(Breaks.all().map(Break::file).distinct().sorted().toList())
                .containsExactlyElementsOf(k8s.sources().stream()
                        .filter(name -> name.matches(".*\\.(yaml|json)"))
                        .sorted()
                        .toList());
    }

    /** Exactly-once takes two for each subtask. */
    @Test
    void theServerOfTheFirstTryHasPreparedTransactionsEnough() {
        String rendered = RenderedOverlays.read("minikube");
        Matcher most = Pattern.compile("max_prepared_transactions=(\\d+)").matcher(rendered);
        assertThat(most.find()).isTrue();
        Manifest cluster = Manifest.parse("minikube", rendered).stream()
                .filter(manifest -> manifest.kind().equals("FlinkDeployment"))
                .findFirst()
                .orElseThrow();
        Settings settings = JobArguments.settings(cluster.spec().path("job"));
        assertThat(settings.sink().transactionPrefix()).isPresent();
        assertThat(Integer.parseInt(most.group(1)))
                .isGreaterThanOrEqualTo(2 * settings.job().parallelism());
    }

    @Test
    void theReadmeMakesEverySecret() {
        String readme = Overlays.read(Overlays.K8S.resolve("README.md"));
        References.SECRETS.forEach((name, keys) -> {
            assertThat(readme).contains("create secret generic " + name);
            keys.forEach(key -> assertThat(readme).contains("--from-literal=" + key + "="));
        });
    }
}
