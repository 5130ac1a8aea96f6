package io.chunkroll.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Dockerfile agrees with the build and with the FlinkDeployment. Docker itself is not asked: it may not be there. */
final class ImageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern INSTRUCTION = Pattern.compile("(?m)^(FROM|COPY|USER|RUN) (.+)$");
    private static final String HOME = "/opt/flink/";

    private static String read(String file) {
        return Overlays.read(ROOT.resolve(file));
    }

    private static String flinkVersion() {
        Matcher version = Pattern.compile("<flink.version>(.+)</flink.version>").matcher(read("pom.xml"));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    private static List<String> faults(String dockerfile) {
        List<String> faults = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        Matcher instruction = INSTRUCTION.matcher(dockerfile);
        while (instruction.find()) {
            seen.add(instruction.group(1));
            String rest = instruction.group(2);
            switch (instruction.group(1)) {
                case "FROM" -> expect("the base image", "flink:" + flinkVersion() + "-java17", rest, faults);
                case "USER" -> expect("the user", "9999:9999", rest, faults);
                case "COPY" -> copy(rest.split(" "), faults);
                default -> {
                    // Runs in the image alone.
                }
            }
        }
        if (seen.isEmpty() || !seen.get(seen.size() - 1).equals("USER")) {
            faults.add("the user must be the last that is set");
        }
        return faults;
    }

    private static void copy(String[] words, List<String> faults) {
        expect("the jar", "job/target/chunkroll-job.jar", words[1], faults);
        expect("the jar's place", jar(), "local://" + HOME + words[2], faults);
        String ignored = read("k8s/Dockerfile.dockerignore");
        if (!ignored.lines().toList().contains("!" + words[1])) {
            faults.add(words[1] + " is ignored by k8s/Dockerfile.dockerignore");
        }
    }

    private static String jar() {
        return Manifest.parse("flinkdeployment.yaml", read("k8s/base/flinkdeployment.yaml"))
                .get(0)
                .spec()
                .at("/job/jarURI")
                .asText();
    }

    private static void expect(String what, String expected, String found, List<String> faults) {
        if (!expected.equals(found)) {
            faults.add(what + " is " + found + " instead of " + expected);
        }
    }

    @Test
    void nothingIsWrong() {
        assertThat(faults(read("k8s/Dockerfile"))).isEmpty();
        assertThat(read("job/pom.xml"))
                .contains("<outputFile>${project.build.directory}/chunkroll-job.jar</outputFile>");
    }

    @ParameterizedTest
    @CsvSource({
        "FROM flink:, FROM flink:1., the base image",
        "USER 9999:9999, USER flink, the user is flink",
        "USER 9999:9999, '', the last that is set",
        "chunkroll-job.jar usrlib, chunkroll.jar usrlib, the jar is job/target/chunkroll.jar",
        "usrlib/chunkroll-job.jar, lib/chunkroll-job.jar, the jar's place",
    })
    void aBrokenCopyIsRefused(String good, String bad, String refusal) {
        String dockerfile = read("k8s/Dockerfile");
        assertThat(dockerfile).contains(good);

        assertThat(faults(dockerfile.replace(good, bad)))
                .anySatisfy(fault -> assertThat(fault).contains(refusal));
    }
}
