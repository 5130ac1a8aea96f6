package io.chunkroll.job.cli;

import io.chunkroll.job.run.Failures;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.job.terminal.Terminal;
import java.io.PrintStream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The command line. Exit codes: 0 all rows loaded, 1 failed, 2 wrong settings or usage, 3 some rows rejected, 130 stopped. */
@Command(
        name = "chunkroll",
        description = "Loads time-series rows into PostgreSQL and TimescaleDB, and shows the throughput over time.",
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            SubmitCommand.class,
            StudyCommand.class,
            GenerateCommand.class,
            ReportCommand.class,
            DbCommand.class,
            LeftoversCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Start with: chunkroll demo"})
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    private Main() {}

    /** Ends the process with the command's exit code. */
    public static void main(String[] arguments) {
        Terminal.install();
        System.exit(execute(arguments));
    }

    static int execute(String... arguments) {
        Logs.start();
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler(Main::failed)
                .setUsageHelpAutoWidth(true)
                .execute(arguments);
    }

    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        PrintStream err = System.err;
        if (failure instanceof SettingsException settings) {
            err.println("These settings cannot be followed:");
            settings.faults().forEach(fault -> err.println("  " + fault));
            err.println("'chunkroll " + command.getCommandName() + " --help' lists all settings.");
            return CommandLine.ExitCode.USAGE;
        }
        LoggerFactory.getLogger(Main.class).error("{} failed", command.getCommandName(), failure);
        err.println(Failures.explain(failure));
        Logs.file().ifPresent(file -> err.println("More in " + file));
        return CommandLine.ExitCode.SOFTWARE;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Name a command: demo, run, submit, study, generate, report, db or leftovers");
    }

    /** The version of the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"chunkroll " + (version == null ? "(not packaged)" : version)};
        }
    }
}
