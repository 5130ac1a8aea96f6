package io.chunkroll.job.cli;

import io.chunkroll.job.run.RunException;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Setting;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.FleetFileFormat;
import io.chunkroll.sources.fleet.FleetFileWriter;
import io.chunkroll.sources.fleet.FleetOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Writes a data set to a file. */
@Command(
        name = "generate",
        description = "Writes a data set to a file: the same rows that 'run' generates of the same settings.",
        customSynopsis = "chunkroll generate --out FILE [--format csv|tsbs] [--header] [--config FILE] [--key value]…",
        mixinStandardHelpOptions = true)
final class GenerateCommand implements Callable<Integer> {
    private static final long NANOS_A_LINE = 5_000_000_000L;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "The file; .gz and .zst compress it.")
    private Path file;

    @Option(
            names = "--format",
            paramLabel = "csv|tsbs",
            description = "How rows are spelled: csv, or tsbs for the data set tsbs-cpu, where it is the default.")
    private String format;

    @Option(names = "--header", description = "Begin a CSV file with a line of column names.")
    private boolean header;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Spec
    void spec(CommandSpec spec) {
        SettingsHelp.add(
                spec,
                Stream.of(List.<Setting<?>>of(AllSettings.DATASET), AllSettings.shape(), AllSettings.fleet())
                        .flatMap(List::stream)
                        .toList(),
                false);
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = Settings.of(words);
        if (settings.source().fleet().isEmpty()) {
            throw new SettingsException(List.of("source.kind: only generated rows can be written to a file"));
        }
        var fleet = settings.source().fleet().get();
        FleetFileWriter writer = writer(fleet);
        long begin = System.nanoTime();
        long[] last = {begin, 0, 0};
        // Where the rows go to standard output, nothing else may.
        PrintStream out = file.startsWith("/dev") || file.startsWith("/proc") ? System.err : System.out;
        try {
            writer.write((rows, bytes) -> {
                last[1] = rows;
                last[2] = bytes;
                if (System.nanoTime() - last[0] > NANOS_A_LINE) {
                    last[0] = System.nanoTime();
                    say(out, rows, bytes, begin);
                }
            });
        } catch (IOException e) {
            throw new RunException(e.getMessage(), e);
        }
        say(out, last[1], last[2], begin);
        out.println("Written: " + file);
        return 0;
    }

    private FleetFileWriter writer(FleetOptions fleet) {
        FleetFileFormat asked = format(fleet.dataset());
        if (header && asked == FleetFileFormat.TSBS) {
            throw new SettingsException(List.of("--header: a file of TSBS's format always has its own header"));
        }
        try {
            return new FleetFileWriter(fleet, file, asked, header);
        } catch (IllegalArgumentException e) {
            throw new SettingsException(List.of(e.getMessage()));
        }
    }

    private FleetFileFormat format(DataSet dataset) {
        if (format == null) {
            return dataset.fileFormats().get(0);
        }
        return Stream.of(FleetFileFormat.values())
                .filter(known -> known.name().toLowerCase(Locale.ROOT).equals(format))
                .findFirst()
                .orElseThrow(() -> new SettingsException(List.of("--format " + format + ": is neither csv nor tsbs")));
    }

    private static void say(PrintStream out, long rows, long bytes, long begin) {
        double seconds = Math.max(1e-3, (System.nanoTime() - begin) / 1e9);
        out.printf(
                Locale.ROOT,
                "%6.1f s  %,d rows  %,.0f MB  %,.0f MB/s%n",
                seconds,
                rows,
                bytes / 1e6,
                bytes / 1e6 / seconds);
    }
}
