package io.chunkroll.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The jar that goes to a cluster holds what the cluster does not have, and nothing that it has. */
final class JobJarITCase {
    private static final List<String> FLINKS_OWN = List.of(
            "org/apache/flink/api/",
            "org/apache/flink/core/",
            "org/apache/flink/runtime/",
            "org/apache/flink/streaming/",
            "org/apache/flink/client/",
            "org/apache/flink/connector/file/",
            "org/apache/flink/connector/base/",
            "org/slf4j/",
            "org/apache/log4j/",
            "org/apache/logging/",
            "ch/qos/logback/");

    private static final List<String> NEEDED = List.of(
            "io/chunkroll/job/IngestJob.class",
            "io/chunkroll/rows/Tuple.class",
            "io/chunkroll/sources/csv/CsvSource.class",
            "io/chunkroll/sinks/copy/CopySink.class",
            "org/postgresql/Driver.class",
            "org/apache/flink/connector/jdbc/core/datastream/sink/JdbcSink.class",
            "com/github/luben/zstd/Zstd.class",
            "META-INF/services/java.sql.Driver",
            "META-INF/LICENSE");

    @Test
    void theJarHoldsNeitherFlinkNorALogger() throws IOException {
        try (JarFile jar = new JarFile(Path.of("target", "chunkroll-job.jar").toFile())) {
            List<String> names = jar.stream().map(entry -> entry.getName()).toList();

            assertThat(names).containsAll(NEEDED);
            assertThat(names)
                    .filteredOn(name -> name.endsWith(".class"))
                    .noneMatch(name -> FLINKS_OWN.stream().anyMatch(name::startsWith));
            assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
                    .isEqualTo("io.chunkroll.job.IngestJob");
        }
    }
}
