package io.chunkroll.job.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chunkroll.job.examples.EvenCustomers;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MapClassTest {
    @TempDir
    Path folder;

    /** Of another type than rows. */
    public static final class OfTexts implements MapFunction<String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public String map(String text) {
            return text;
        }
    }

    /** Needs to be told something. */
    public static final class WithParameter implements MapFunction<Row, Row> {
        private static final long serialVersionUID = 1L;
        private final int step;

        public WithParameter(int step) {
            this.step = step;
        }

        @Override
        public Row map(Row row) {
            return step == 0 ? row : null;
        }
    }

    private static final class Hidden implements MapFunction<Row, Row> {
        private static final long serialVersionUID = 1L;

        @Override
        public Row map(Row row) {
            return row;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    com.example.Missing | no such class in the class path; give the jar that has it as job.map-jar
                    not a name | no such class
                    java.lang.String | is no org.apache.flink.api.common.functions.MapFunction
                    io.chunkroll.job.map.MapClassTest$OfTexts | maps from java.lang.String, and must map org.apache.flink.types.Row
                    io.chunkroll.job.map.MapClassTest$WithParameter | public constructor without parameters
                    io.chunkroll.job.map.MapClassTest$Hidden | must be public
                    org.apache.flink.api.common.functions.RichMapFunction | not abstract
                    """)
    void whatIsNoFunctionOfRowsIsRefused(String name, String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MapClass.of(name, Optional.empty()))
                .withMessageContaining(words);
    }

    @Test
    void functionsOfRowsAreTaken() {
        for (Class<?> function : new Class<?>[] {EvenCustomers.class, Relabelling.class}) {
            assertThat(MapClass.of(function.getName(), Optional.empty()).name()).isEqualTo(function.getName());
        }
        assertThat(new Hidden().map(Row.of(1))).isEqualTo(Row.of(1));
    }

    @Test
    void faultsNameTheSetting() throws Exception {
        Path empty = Files.createFile(folder.resolve("empty.jar"));
        assertFaults(
                Map.of("job.map", "com.example.Missing"), "job.map \"com.example.Missing\": there is no such class");
        assertFaults(
                Map.of(
                        "job.map",
                        "com.example.Missing",
                        "job.map-jar",
                        folder.resolve("none.jar").toString()),
                "job.map-jar \"" + folder.resolve("none.jar") + "\": is no file that can be read");
        assertFaults(
                Map.of("job.map", "com.example.Missing", "job.map-jar", empty.toString()),
                "job.map \"com.example.Missing\": there is no such class in the class path, nor in the jar of job.map-jar");
        assertFaults(Map.of("job.map-jar", empty.toString()), "job.map-jar: is for the class of job.map");
        assertFaults(Map.of("sink.kind", "jdbc", "sink.where", "true"), "sink.where: is for sink.kind copy");
    }

    private static void assertFaults(Map<String, String> texts, String fault) {
        assertThat(catchThrowableOfType(SettingsException.class, () -> Settings.of(texts))
                        .faults())
                .singleElement()
                .asString()
                .startsWith(fault);
    }

    @Test
    void evenCustomersLeavesOutTheOthers() {
        EvenCustomers function = new EvenCustomers();
        Row even = Row.withNames();
        even.setField("c_id", 4L);
        Row odd = Row.withNames();
        odd.setField("c_id", -3);
        assertThat(function.map(even)).isSameAs(even);
        assertThat(function.map(odd)).isNull();
    }
}
