package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebianProgramsITCase {
    private static final DebianPrograms.Recipe HELLO = new DebianPrograms.Recipe(
            "hello-1",
            "hello",
            3,
            List.of("hello"),
            Pattern.compile("install-info|info|dpkg|.*-base"),
            List.of("usr/share/doc", "usr/share/man"),
            List.of("usr/bin/hello"));

    @TempDir
    Path folder;

    @Test
    void makesAProgramOnceThatRunsWithItsOwnLibraries() throws Exception {
        CacheFolder cache = new CacheFolder(folder);
        DebianPrograms hello = new DebianPrograms(cache, HELLO);
        assertThat(hello.find()).isEmpty();
        Files.createDirectories(folder.resolve("programs/making-1/left"));

        Path home = hello.findOrMake(line -> {});

        Path program = home.resolve("usr/bin/hello");
        assertThat(Command.of(program.toString()).run(Duration.ofMinutes(1)).output())
                .isEqualTo("Hello, world!\n");
        assertThat(DebianPrograms.libraries(home)).isDirectoryContaining("glob:**/libc.so.6");
        assertThat(Elf.isDynamicProgram(program)).isTrue();
        assertThat(Elf.isDynamicProgram(DebianPrograms.libraries(home).resolve("libm.so.6")))
                .isFalse();
        assertThat(home.resolve("packages")).content().contains("hello_").doesNotContain("install-info");
        assertThat(home.resolve("usr/share/doc")).doesNotExist();
        assertThat(folder.resolve("programs")).isDirectoryNotContaining("glob:**/making-*");
        assertThat(cache.installLog()).content().contains("$ apt-get");

        List<String> said = new ArrayList<>();
        assertThat(hello.findOrMake(said::add)).isEqualTo(home);
        assertThat(said).isEmpty();
    }

    @Test
    void saysWhichPackageCannotBeHad() {
        DebianPrograms none = new DebianPrograms(
                new CacheFolder(folder),
                new DebianPrograms.Recipe(
                        "none-1",
                        "nothing",
                        1,
                        List.of("chunkroll-no-such-package"),
                        Pattern.compile("-"),
                        List.of(),
                        List.of("usr/bin/none")));

        assertThatThrownBy(() -> none.findOrMake(line -> {}))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("chunkroll-no-such-package");
        assertThat(none.find()).isEmpty();
        assertThat(folder.resolve("programs")).isEmptyDirectory();
    }
}
