package io.chunkroll.job.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class TerminalTest {
    private static final String ERASE = "\r\u001b[K";
    private static final ProgressBar.State STATE =
            new ProgressBar.State("cpu", 1, 7, 7, OptionalDouble.empty(), OptionalDouble.empty(), new double[0]);
    private static final String DRAWN = "\u001b[?7lcpu  7 rows  7 rows/s  0:01\u001b[?7h";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream screen = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final Terminal terminal = new Terminal(screen, () -> new ProgressBar.Style(80, true, false));
    private final PrintStream out = terminal.guarded(screen, StandardCharsets.UTF_8);

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void drawsOneLineOverTheOther() {
        terminal.show(STATE);
        terminal.show(STATE);
        terminal.clear();

        assertThat(shown()).isEqualTo(DRAWN + ERASE + DRAWN + ERASE);
    }

    @Test
    void messagesTakeTheLinesPlace() {
        terminal.show(STATE);
        out.print("Stopping…\n");
        terminal.clear();
        out.print("Done\n");

        assertThat(shown()).isEqualTo(DRAWN + ERASE + "Stopping…\n" + DRAWN + ERASE + "Done\n");
    }

    @Test
    void waitsForAMessageToEndItsLine() {
        terminal.show(STATE);
        out.print("Half ");
        terminal.show(STATE);
        out.print("a line\n");

        assertThat(shown()).isEqualTo(DRAWN + ERASE + "Half a line\n" + DRAWN);
    }

    @Test
    void anotherStreamsMessagesDoTheSame() {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream err =
                terminal.guarded(new PrintStream(errors, true, StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        terminal.show(STATE);
        err.print("Trouble\n");

        assertThat(errors.toString(StandardCharsets.UTF_8)).isEqualTo("Trouble\n");
        assertThat(shown()).isEqualTo(DRAWN + ERASE + DRAWN);
    }

    @Test
    void passesOnAllThatIsPrintedWithoutALine() {
        out.printf("%s%n", "a, ü, 漢");
        out.write('x');
        out.flush();

        assertThat(shown()).isEqualTo("a, ü, 漢" + System.lineSeparator() + "x");
    }

    @Test
    void isFoundByItsStreamsAlone() {
        assertThat(Terminal.of(out)).contains(terminal);
        assertThat(Terminal.of(screen)).isEmpty();
    }

    @Test
    void isNotThereWithoutAConsole() {
        assertThat(Terminal.isThere(null, Map.of("TERM", "xterm"))).isFalse();
    }

    @Test
    void isAsWideAsColumnsSays() {
        assertThat(new TerminalWidth(Map.of("COLUMNS", "132")).columns()).isEqualTo(131);
        assertThat(new TerminalWidth(Map.of("COLUMNS", "1")).columns()).isZero();
        assertThat(new TerminalWidth(Map.of("COLUMNS", "0")).columns()).isPositive();
        assertThat(new TerminalWidth(Map.of("COLUMNS", "wide")).columns()).isPositive();
        assertThat(new TerminalWidth(Map.of()).columns()).isPositive();
    }
}
