package io.chunkroll.job.cli;

import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** The part of a help text that lists settings. */
final class SettingsHelp {
    private static final int WIDTH = 110;
    private static final int KEY_WIDTH = 32;

    private SettingsHelp() {}

    /** Puts the list behind the command's own help. */
    static void add(CommandLine.Model.CommandSpec spec, List<Setting<?>> settings, boolean server) {
        TextTable table = TextTable.forColumns(
                CommandLine.Help.defaultColorScheme(Ansi.AUTO),
                new Column(KEY_WIDTH, 2, Column.Overflow.SPAN),
                new Column(WIDTH - KEY_WIDTH, 2, Column.Overflow.WRAP));
        for (Setting<?> setting : settings) {
            String preset = setting.defaultText()
                    .filter(text -> !text.isEmpty())
                    .map(text -> " (default: " + text + ")")
                    .orElse("");
            table.addRowValues("--" + setting.key(), setting.description() + preset + "\n" + setting.values());
        }
        if (server) {
            table.addRowValues(
                    "--" + AllSettings.SERVER_PREFIX + "NAME",
                    "a setting of the embedded PostgreSQL, such as --server.shared_buffers 32MB");
        }
        List<String> footer = new ArrayList<>(List.of("", "Settings, on the command line or in the file of --config:"));
        footer.addAll(List.of(table.toString().replace("%", "%%").split("\n")));
        spec.usageMessage().footer(footer.toArray(String[]::new));
    }
}
