package io.chunkroll.job.terminal;

import java.io.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A terminal with a line at its foot that is drawn anew again and again. Whatever is printed meanwhile, to standard output or standard
 * error, takes the line's place, and the line comes back below it.
 */
public final class Terminal {
    private static final String ERASE = "\r\u001b[K";
    /** A line that is too long, because the window was made smaller, is cut off instead of taking two. */
    private static final String NO_WRAP = "\u001b[?7l";

    private static final String WRAP = "\u001b[?7h";

    private final PrintStream screen;
    private final Supplier<ProgressBar.Style> style;
    private String line = "";
    /** Whether what was printed last ended with its line. */
    private boolean isAtLineStart = true;

    Terminal(PrintStream screen, Supplier<ProgressBar.Style> style) {
        this.screen = screen;
        this.style = style;
    }

    /** Guards this process's output, if it goes to a terminal that can move its cursor. Once, before anybody prints. */
    public static void install() {
        if (isThere(System.console(), System.getenv())) {
            PrintStream screen = System.out;
            Charset charset = charset();
            boolean blocks = charset.newEncoder().canEncode('█');
            boolean colours = System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
            TerminalWidth width = new TerminalWidth(System.getenv());
            Terminal terminal = new Terminal(screen, () -> new ProgressBar.Style(width.columns(), blocks, colours));
            // Whatever ends the process, the shell's prompt finds an empty line.
            Runtime.getRuntime().addShutdownHook(new Thread(terminal::clear, "clear terminal"));
            System.setOut(terminal.guarded(screen, charset));
            System.setErr(terminal.guarded(System.err, charset));
        }
    }

    /** Newer versions of Java have a console without a terminal, too, and then tell. */
    static boolean isThere(Console console, Map<String, String> environment) {
        if (console == null || environment.getOrDefault("TERM", "dumb").equals("dumb")) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    private static Charset charset() {
        for (String property : new String[] {"stdout.encoding", "sun.stdout.encoding", "native.encoding"}) {
            try {
                String name = System.getProperty(property);
                if (name != null) {
                    return Charset.forName(name);
                }
            } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
                // The next one may be known.
            }
        }
        return StandardCharsets.US_ASCII;
    }

    /** The terminal to which a stream goes; empty if it goes elsewhere. */
    public static Optional<Terminal> of(PrintStream stream) {
        return stream instanceof Guarded guarded ? Optional.of(guarded.terminal) : Optional.empty();
    }

    /** A stream to the same terminal that makes room for what is printed. */
    PrintStream guarded(PrintStream stream, Charset charset) {
        return new Guarded(this, stream, charset);
    }

    /** Draws the line, in place of the one that is there. */
    public synchronized void show(ProgressBar.State state) {
        erase();
        line = ProgressBar.line(state, style.get());
        draw();
    }

    /** Takes the line away. */
    public synchronized void clear() {
        erase();
        line = "";
    }

    private void draw() {
        if (!line.isEmpty() && isAtLineStart) {
            screen.print(NO_WRAP + line + WRAP);
            screen.flush();
        }
    }

    private void erase() {
        if (!line.isEmpty() && isAtLineStart) {
            screen.print(ERASE);
            screen.flush();
        }
    }

    private synchronized void print(PrintStream stream, byte[] bytes, int offset, int length) {
        erase();
        stream.write(bytes, offset, length);
        stream.flush();
        isAtLineStart = length == 0 ? isAtLineStart : bytes[offset + length - 1] == '\n';
        draw();
    }

    /** Known by its class, so that a stream tells where it goes. */
    private static final class Guarded extends PrintStream {
        private final Terminal terminal;

        Guarded(Terminal terminal, PrintStream stream, Charset charset) {
            super(new Output(terminal, stream), true, charset);
            this.terminal = terminal;
        }
    }

    /** Passes on what is printed, a piece at a time. */
    private static final class Output extends OutputStream {
        private final Terminal terminal;
        private final PrintStream stream;

        Output(Terminal terminal, PrintStream stream) {
            this.terminal = terminal;
            this.stream = stream;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            terminal.print(stream, bytes, offset, length);
        }
    }
}
