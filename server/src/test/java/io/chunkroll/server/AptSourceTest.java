package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AptSourceTest {
    private static final String KEY = "/usr/share/keyrings/debian-archive-keyring.gpg";
    private static final String THIRD_PARTIES = """
            # deb http://commented.example/debian bookworm main
            deb [arch=amd64 signed-by=/etc/apt/keyrings/vendor.gpg] https://vendor.example/debian bookworm main
            deb https://cloud.example/apt tools-bookworm main
            deb [signed-by=/usr/share/keyrings/pgdg.gpg] https://pg.example/pub/repos/apt bookworm-pgdg main
            """;

    @Test
    void readsTheOneLineFormat() {
        List<AptSource> sources = AptSource.ofList(THIRD_PARTIES + """
                deb-src http://mirror.example/debian bookworm main
                deb http://mirror.example/debian bookworm main contrib # the archive
                deb http://mirror.example/debian bookworm-updates main
                deb [ signed-by=%s check-valid-until=no ] http://mirror.example/debian-security/ bookworm-security main
                """.formatted(KEY));
        assertThat(sources).hasSize(6);
        assertThat(AptSource.mainArchive(sources, "trixie").orElseThrow().toParagraph("arm64"))
                .isEqualTo("""
                        Types: deb
                        URIs: http://mirror.example/debian
                        Suites: trixie
                        Components: main
                        Architectures: arm64
                        Targets: Packages
                        """);
        assertThat(AptSource.securityArchive(sources, "trixie-security")
                        .orElseThrow()
                        .toParagraph("arm64"))
                .contains("URIs: http://mirror.example/debian-security/\n", "Suites: trixie-security\n")
                .contains("signed-by: " + KEY + "\n", "check-valid-until: no\n");
    }

    @Test
    void readsTheParagraphFormat() {
        List<AptSource> sources = AptSource.ofSources("""
                Types: deb
                URIs: https://vendor.example/debian/12/prod
                Suites: bookworm
                Components: main
                Signed-By: /usr/share/keyrings/vendor.gpg

                Types: deb deb-src
                # an old snapshot
                URIs: mirror+file:///etc/apt/mirrors/debian.list
                Suites: bookworm bookworm-updates
                Components: main
                Signed-By: %1$s
                \t
                Enabled: no
                Types: deb
                URIs: http://disabled.example/debian
                Suites: bookworm
                Components: main

                Types: deb
                URIs: mirror+file:///etc/apt/mirrors/debian-security.list
                Suites: bookworm-security
                Components: main
                Signed-By: %1$s
                """.formatted(KEY));
        assertThat(sources).hasSize(3);
        AptSource main = AptSource.mainArchive(sources, "trixie").orElseThrow();
        assertThat(main.uris()).containsExactly("mirror+file:///etc/apt/mirrors/debian.list");
        assertThat(main.toParagraph("amd64")).contains("Suites: trixie\n", "signed-by: " + KEY + "\n");
        assertThat(AptSource.securityArchive(sources, "trixie-security")
                        .orElseThrow()
                        .uris())
                .containsExactly("mirror+file:///etc/apt/mirrors/debian-security.list");
    }

    @Test
    void keepsAKeyThatIsWrittenInTheFile() {
        String text = """
                Types: deb
                URIs: http://mirror.example/deb
                Suites: trixie trixie-updates
                Components: main
                Signed-By:
                 -----BEGIN PGP PUBLIC KEY BLOCK-----
                 .
                 mQINBFppuMUBEADW
                """;
        assertThat(AptSource.mainArchive(AptSource.ofSources(text), "trixie")
                        .orElseThrow()
                        .toParagraph("amd64"))
                .contains("signed-by: \n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBFppuMUBEADW\n");
    }

    @Test
    void takesNoThirdParty() {
        List<AptSource> sources = new ArrayList<>(AptSource.ofList(THIRD_PARTIES));
        assertThat(AptSource.mainArchive(sources, "trixie")).isEmpty();
        assertThat(AptSource.securityArchive(sources, "trixie-security")).isEmpty();
    }

    @Test
    void leavesOutWhatAServerNeverOpens() {
        assertThat(AptDownload.neededNames("""
                                'http://mirror.example/p/postgresql-17_17.6-0_amd64.deb' postgresql-17_17.6-0_amd64.deb 16760112 SHA256:0
                                'http://mirror.example/l/libllvm19_19.1_amd64.deb' libllvm19_1%3a19.1_amd64.deb 25978316 SHA256:0
                                'http://mirror.example/l/libstdc++6_14_amd64.deb' libstdc++6_14_amd64.deb 713628 SHA256:0
                                'http://mirror.example/p/perl_5.40_amd64.deb' perl_5.40_amd64.deb 267736 SHA256:0
                                """, PostgresInstall.NOT_NEEDED))
                .containsExactly("postgresql-17", "libstdc++6");
    }
}
