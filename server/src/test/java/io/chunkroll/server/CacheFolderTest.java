package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    @TempDir
    private Path home;

    private Path chosen(Map<String, String> environment, ServerAccount account) {
        return CacheFolder.choose(environment, home, account).root();
    }

    @Test
    void theNarrowerWordWins() {
        assertThat(chosen(Map.of("CHUNKROLL_CACHE", "/a/b", "XDG_CACHE_HOME", "/c"), ServerAccount.ONESELF))
                .hasToString("/a/b");
        assertThat(chosen(Map.of("XDG_CACHE_HOME", "/c"), ServerAccount.ONESELF))
                .hasToString("/c/chunkroll");
        assertThat(chosen(Map.of("XDG_CACHE_HOME", ""), ServerAccount.ONESELF))
                .isEqualTo(home.resolve(".cache/chunkroll"));
    }

    @Test
    void rootsServerMustReachIt() throws Exception {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        assertThat(chosen(Map.of(), ServerAccount.NOBODY)).hasToString("/var/cache/chunkroll");
        assertThatThrownBy(
                        () -> chosen(Map.of("CHUNKROLL_CACHE", home.resolve("x").toString()), ServerAccount.NOBODY))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("CHUNKROLL_CACHE")
                .hasMessageContaining("755");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(chosen(Map.of("CHUNKROLL_CACHE", home.resolve("x").toString()), ServerAccount.NOBODY))
                .isEqualTo(home.resolve("x"));
    }
}
