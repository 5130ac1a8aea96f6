package io.chunkroll.job.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The page of settings says what the code says. {@code mvn test -pl job -am -Dtest=SettingsPageTest -Dchunkroll.write-docs=true} writes it
 * anew.
 */
final class SettingsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "settings.md");

    @Test
    void thePageListsEverySetting() throws IOException {
        if (Boolean.getBoolean("chunkroll.write-docs")) {
            Files.writeString(PAGE, page());
        }
        assertThat(PAGE).content().isEqualTo(page());
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Settings

                The same keys everywhere: `--key value` on the command line, nested or dotted in the YAML file of `--config`, arguments of the job
                jar. The command line wins over the file. Unknown keys and combinations that cannot be are refused, all at once, with exit code 2.
                Sizes and time spans carry units: `32 MB`, `500 ms`, `10 s`, `12 h`, `7 d`.

                | key | values | default | meaning |
                |---|---|---|---|
                """);
        for (Setting<?> setting : AllSettings.list()) {
            page.append("| `")
                    .append(setting.key())
                    .append("` | ")
                    .append(cell(setting.values()))
                    .append(" | ")
                    .append(setting.defaultText()
                            .filter(text -> !text.isEmpty())
                            .map(text -> '`' + text + '`')
                            .orElse(""))
                    .append(" | ")
                    .append(cell(setting.description()))
                    .append(" |\n");
        }
        return page.append(
                        "| `server.NAME` | | | a setting of the embedded PostgreSQL, such as `server.shared_buffers` |\n")
                .toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
