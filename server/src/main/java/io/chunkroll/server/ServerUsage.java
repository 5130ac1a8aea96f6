package io.chunkroll.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a server's processes have taken from this machine since the first look at them: processor time and bytes written to disk.
 *
 * <p>The kernel adds what a process took to its parent's account when it ends, so the postmaster's account and those of its living children
 * are the whole. Where the server was restarted meanwhile, what the processes of before took after their last sample is lost.
 */
public final class ServerUsage {
    private static final Path PROC = Path.of("/proc");
    private static final int LOOKS = 10;
    private static final OptionalDouble TICKS_PER_SECOND = ticksPerSecond();

    private final PostgresServer server;
    private final Counter ticks = new Counter();
    private final Counter bytes = new Counter();

    private ServerUsage(PostgresServer server) {
        this.server = server;
    }

    /** Counts from now on. */
    public static ServerUsage of(PostgresServer server) {
        ServerUsage usage = new ServerUsage(server);
        usage.sample();
        return usage;
    }

    /**
     * Totals since the first look. Empty, and never zero, is what cannot be had: of a container, of a server that is not running, or
     * without the right to see it.
     */
    public record Sample(OptionalDouble cpuSeconds, OptionalLong diskWriteBytes) {}

    /** Takes a few milliseconds. */
    public synchronized Sample sample() {
        OptionalLong postmaster = server.postmasterPid();
        Optional<Account> account = postmaster.isPresent() ? settled(postmaster.getAsLong()) : Optional.empty();
        if (account.isEmpty()) {
            return new Sample(OptionalDouble.empty(), OptionalLong.empty());
        }
        long pid = postmaster.getAsLong();
        OptionalLong written = account.get().written();
        return new Sample(
                TICKS_PER_SECOND.isPresent()
                        ? OptionalDouble.of(ticks.total(pid, account.get().ticks()) / TICKS_PER_SECOND.getAsDouble())
                        : OptionalDouble.empty(),
                written.isPresent() ? OptionalLong.of(bytes.total(pid, written.getAsLong())) : OptionalLong.empty());
    }

    /** Why a sample has no CPU time, in words for a report. */
    public String whyNoCpuTime() {
        return whyUnseen().orElse("this machine does not say how long a clock tick is (getconf CLK_TCK)");
    }

    /** Why a sample has no bytes written, in words for a report. */
    public String whyNoDiskWrites() {
        return whyUnseen().orElse("this user may not read /proc/PID/io of the server's processes");
    }

    private Optional<String> whyUnseen() {
        if (server.isInContainer()) {
            return Optional.of("the server runs in a container, whose processes are not counted from outside");
        }
        return server.postmasterPid().isEmpty() ? Optional.of("the server was not running") : Optional.empty();
    }

    /** Sums over all processes at one look. */
    private record Account(long ticks, OptionalLong written) {
        static Optional<Account> of(long postmaster) {
            List<ProcessTree.Stat> tree = ProcessTree.of(postmaster);
            return tree.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Account(
                            tree.stream()
                                    .mapToLong(stat -> stat.ownTicks() + stat.childTicks())
                                    .sum(),
                            ServerUsage.written(tree)));
        }
    }

    /** A process that ends during a look is missed or counted twice: a look counts if the processes before and after it are the same. */
    private static Optional<Account> settled(long postmaster) {
        List<Long> before = ProcessTree.pids(postmaster);
        for (int look = 1; ; look++) {
            Optional<Account> account = Account.of(postmaster);
            List<Long> after = ProcessTree.pids(postmaster);
            if (account.isEmpty() || before.equals(after) || look == LOOKS) {
                return account;
            }
            before = after;
        }
    }

    /** Empty if the postmaster's account cannot be read. */
    private static OptionalLong written(List<ProcessTree.Stat> tree) {
        List<Long> parts = tree.stream()
                .map(stat -> writtenBy(stat.pid()))
                .flatMap(Optional::stream)
                .toList();
        return writtenBy(tree.get(0).pid()).isPresent()
                ? OptionalLong.of(parts.stream().mapToLong(Long::longValue).sum())
                : OptionalLong.empty();
    }

    private static Optional<Long> writtenBy(long pid) {
        try {
            return Files.readAllLines(PROC.resolve(pid + "/io")).stream()
                    .filter(line -> line.startsWith("write_bytes: "))
                    .map(line -> Long.parseLong(line.substring("write_bytes: ".length())))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static OptionalDouble ticksPerSecond() {
        Command.Outcome outcome = Command.of("getconf", "CLK_TCK").run(Duration.ofSeconds(10));
        String said = outcome.output().strip();
        return outcome.succeeded() && said.matches("\\d+")
                ? OptionalDouble.of(Double.parseDouble(said))
                : OptionalDouble.empty();
    }

    /** Adds up a count that begins anew with each postmaster, and that may seem to shrink while a process is ending. */
    private static final class Counter {
        private long process = -1;
        private long last;
        private long total;

        long total(long current, long count) {
            if (process == -1) {
                last = count;
            } else if (current != process) {
                last = 0;
            }
            process = current;
            total += Math.max(0, count - last);
            last = Math.max(last, count);
            return total;
        }
    }
}
