package io.chunkroll.job.cli;

import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.text.WordUtils;
import picocli.CommandLine.Model.CommandSpec;

/** The part of a help text that lists settings. */
final class SettingsHelp {
    private static final int WIDTH = 72;
    private static final String INDENT = "        ";

    private SettingsHelp() {}

    /** Puts the list behind the command's own help. */
    static void add(CommandSpec spec, List<Setting<?>> settings, boolean server) {
        List<String> lines = new ArrayList<>(List.of("", "Settings, on the command line or in the file of --config:"));
        for (Setting<?> setting : settings) {
            String preset = setting.defaultText()
                    .filter(text -> !text.isEmpty())
                    .map(text -> " (default: " + text + ")")
                    .orElse("");
            entry(lines, setting.key() + "  " + setting.values(), setting.description() + preset);
        }
        if (server) {
            entry(
                    lines,
                    AllSettings.SERVER_PREFIX + "NAME  VALUE",
                    "a setting of the embedded PostgreSQL, such as --server.shared_buffers 32MB");
        }
        spec.usageMessage().footer(lines.toArray(String[]::new));
    }

    private static void entry(List<String> lines, String name, String meaning) {
        lines.add("  --" + name);
        for (String line : WordUtils.wrap(meaning, WIDTH).split("\n")) {
            lines.add(INDENT + line.replace("%", "%%"));
        }
    }
}
