package io.chunkroll.job.study;

import io.chunkroll.job.report.Published;
import io.chunkroll.job.report.RunSummary;
import io.chunkroll.job.study.Study.Growth;
import io.chunkroll.job.study.Study.PlannedRun;
import io.chunkroll.job.study.Study.Ratio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The measurements of a study as tables in Markdown: every run, the medians with their spread, and the ratios of medians. What others
 * published stands in columns of its own, marked as theirs.
 */
public final class StudyTable {
    static final String UNKNOWN = "–";

    private static final String THEIRS = " (published)";
    private static final double PERCENT = 100;
    private static final double GIGABYTE = 1 << 30;

    private final Study study;
    private final Measurements measurements;
    private final Optional<RunSummary> sample;
    private final String command;

    /**
     * @param sample the first of the runs, which tells on what they were made; empty if none is left to tell
     * @param command by which it was begun
     */
    public StudyTable(Study study, Measurements measurements, Optional<RunSummary> sample, String command) {
        this.command = command;
        this.study = study;
        this.measurements = measurements;
        this.sample = sample;
    }

    /** One run, for the terminal. */
    static String line(Measurement measured) {
        if (measured.isFailed()) {
            return String.format(
                    Locale.ROOT, "%-28s #%d  failed: %s", measured.run(), measured.repeat(), measured.failure());
        }
        return String.format(
                Locale.ROOT,
                "%-28s #%d  %,12d rows  %11s rows/s  ready after %7s s  server CPU %6s, client CPU %6s us/row",
                measured.run(),
                measured.repeat(),
                measured.rows(),
                text(measured, Figure.ROWS_PER_SECOND),
                text(measured, Figure.READY_SECONDS),
                text(measured, Figure.SERVER_CPU),
                text(measured, Figure.CLIENT_CPU));
    }

    private static String text(Measurement measured, Figure figure) {
        return figure.text(measured.figure(figure));
    }

    /** What others published, beside what came out here; of medians. */
    public Published published() {
        List<Published.Entry> entries = new ArrayList<>();
        for (Ratio ratio : study.ratios()) {
            ratio.published()
                    .ifPresent(theirs -> entries.add(new Published.Entry(
                            ratio.name(), times(measurements.ratio(ratio)), times(OptionalDouble.of(theirs)))));
        }
        for (PlannedRun run : study.runs()) {
            run.published()
                    .forEach((figure, theirs) -> entries.add(new Published.Entry(
                            run.name() + ": " + figure.title(),
                            median(run, figure),
                            figure.text(OptionalDouble.of(theirs)))));
        }
        return new Published(study.published().orElse(""), entries);
    }

    /** All of it. */
    public String markdown() {
        StringBuilder text = new StringBuilder("# " + study.name() + "\n\n" + study.question() + "\n\n");
        text.append('`').append(command).append("`. ");
        sample.ifPresent(run -> text.append(madeOn(run)));
        text.append("\n\n");
        study.notes().forEach(note -> text.append(note).append("\n\n"));
        runs(text);
        failures(text);
        ratios(text);
        study.growth()
                .ifPresent(growth -> text.append('\n').append(answer(growth)).append('\n'));
        study.published()
                .ifPresent(source -> text.append("\nColumns marked")
                        .append(THEIRS)
                        .append(" are not ours: ")
                        .append(source)
                        .append(" Compare ratios, not rates.\n"));
        settings(text);
        return text.toString();
    }

    private static String madeOn(RunSummary run) {
        SortedMap<String, String> facts = run.environment();
        String memory = Optional.ofNullable(facts.get("memory_bytes"))
                .map(bytes -> String.format(Locale.ROOT, "%.0f GB", Double.parseDouble(bytes) / GIGABYTE))
                .orElse("unknown memory");
        return "Begun "
                + run.startedAt()
                        .map(time -> time.replaceFirst("\\.\\d+Z$", "Z"))
                        .orElse("at an unknown time") + " on " + facts.get("cores") + " cores and "
                + memory
                + (Boolean.parseBoolean(facts.get("embedded_server"))
                        ? " shared with the server"
                        : ", the server elsewhere")
                + "; PostgreSQL " + facts.getOrDefault("server.server_version", UNKNOWN) + ", TimescaleDB "
                + facts.getOrDefault("server.timescaledb", UNKNOWN) + ", shared_buffers "
                + facts.getOrDefault("server.setting.shared_buffers", UNKNOWN) + "; chunkroll "
                + facts.getOrDefault("chunkroll", UNKNOWN) + ", Flink " + facts.getOrDefault("flink", UNKNOWN)
                + ". A warm-up load before the first run is not among them.";
    }

    /** What all runs were told, then what each was told besides. */
    private void settings(StringBuilder text) {
        List<Map<String, String>> all =
                study.runs().stream().map(PlannedRun::shown).toList();
        Map<String, String> common = new LinkedHashMap<>(all.get(0));
        all.forEach(texts -> common.entrySet().retainAll(texts.entrySet()));
        text.append("\nSettings of all runs: ").append(code(common)).append("\n\n");
        study.runs().forEach(run -> {
            Map<String, String> own = new LinkedHashMap<>(run.shown());
            own.entrySet().removeAll(common.entrySet());
            String psql = run.psql().isPresent()
                    ? " by psql (connections: " + run.psql().getAsInt() + ")"
                    : "";
            text.append("- ").append(run.name()).append(psql);
            text.append(own.isEmpty() ? "" : ": " + code(own));
            text.append(run.before().isEmpty() ? "" : "; before it, unmeasured: " + code(run.shownBefore()))
                    .append('\n');
        });
    }

    private static String code(Map<String, String> texts) {
        return texts.entrySet().stream()
                .map(entry -> "`" + entry.getKey() + " " + entry.getValue() + "`")
                .collect(Collectors.joining(", "));
    }

    private void runs(StringBuilder text) {
        List<Figure> figures = Stream.concat(Stream.of(Figure.ROWS_PER_SECOND), study.show().stream())
                .distinct()
                .toList();
        List<String> head = new ArrayList<>(List.of("run", "rows", "rows/s, every run", "median", "spread"));
        for (Figure figure : figures) {
            if (figure != Figure.ROWS_PER_SECOND) {
                head.add(figure.title() + ", median");
            }
            if (isPublished(figure)) {
                head.add(figure.title() + THEIRS);
            }
        }
        row(text, head);
        row(text, head.stream().map(cell -> "---").toList());
        for (PlannedRun run : study.runs()) {
            if (!measurements.of(run.name()).isEmpty()) {
                row(text, cells(run, figures));
            }
        }
    }

    private List<String> cells(PlannedRun run, List<Figure> figures) {
        List<String> cells = new ArrayList<>(List.of(
                run.name(),
                measurements.of(run.name()).stream()
                        .filter(done -> !done.isFailed())
                        .map(done -> String.format(Locale.ROOT, "%,d", done.rows()))
                        .distinct()
                        .collect(Collectors.joining(" · ")),
                measurements.of(run.name()).stream()
                        .map(done -> done.isFailed() ? "failed" : text(done, Figure.ROWS_PER_SECOND))
                        .collect(Collectors.joining(" · ")),
                median(run, Figure.ROWS_PER_SECOND),
                percent(measurements.spread(run.name(), Figure.ROWS_PER_SECOND))));
        for (Figure figure : figures) {
            if (figure != Figure.ROWS_PER_SECOND) {
                cells.add(median(run, figure));
            }
            if (isPublished(figure)) {
                cells.add(run.published(figure)
                        .map(value -> figure.text(OptionalDouble.of(value)))
                        .orElse(""));
            }
        }
        return cells;
    }

    private String median(PlannedRun run, Figure figure) {
        return figure.text(measurements.median(run.name(), figure));
    }

    private boolean isPublished(Figure figure) {
        return study.runs().stream().anyMatch(run -> run.published(figure).isPresent());
    }

    private void failures(StringBuilder text) {
        study.runs().stream()
                .flatMap(run -> measurements.of(run.name()).stream())
                .filter(Measurement::isFailed)
                .forEach(done -> text.append("\n- ")
                        .append(done.run())
                        .append(", repeat ")
                        .append(done.repeat())
                        .append(", failed: ")
                        .append(done.failure())
                        .append('\n'));
    }

    private void ratios(StringBuilder text) {
        if (study.ratios().isEmpty()) {
            return;
        }
        boolean published =
                study.ratios().stream().anyMatch(ratio -> ratio.published().isPresent());
        boolean wanted =
                study.ratios().stream().anyMatch(ratio -> !ratio.wanted().isEmpty());
        List<String> head = new ArrayList<>(List.of("of medians", "ratio"));
        if (published) {
            head.add("ratio" + THEIRS);
        }
        if (wanted) {
            head.add("wanted");
        }
        text.append('\n');
        row(text, head);
        row(text, head.stream().map(cell -> "---").toList());
        for (Ratio ratio : study.ratios()) {
            List<String> cells = new ArrayList<>(List.of(ratio.name(), times(measurements.ratio(ratio))));
            if (published) {
                cells.add(ratio.published()
                        .map(value -> times(OptionalDouble.of(value)))
                        .orElse(""));
            }
            if (wanted) {
                cells.add(ratio.wanted());
            }
            row(text, cells);
        }
    }

    /** From which stage on one run was faster than the other, beyond the spread of their repeats. */
    private String answer(Growth growth) {
        List<String> before = new ArrayList<>();
        for (int stage = 0; stage < study.stages(); stage++) {
            String faster = growth.run(growth.faster(), stage);
            String than = growth.run(growth.than(), stage);
            OptionalDouble ratio = measurements.ratio(Figure.ROWS_PER_SECOND, faster, than);
            if (ratio.isEmpty()) {
                break;
            }
            if (study.endsAfter(stage, measurements)) {
                return "**" + growth.faster() + " was faster than " + growth.than() + " from "
                        + size(growth, stage)
                        + " on: " + times(ratio) + " times the rows/s, every repeat above every one of "
                        + growth.than() + (before.isEmpty() ? "" : " (before: " + String.join(", ", before) + ")")
                        + ".**";
            }
            before.add(times(ratio) + " at " + size(growth, stage));
        }
        return before.isEmpty()
                ? "**No stage has figures of both.**"
                : "**" + growth.faster() + " was never faster than " + growth.than()
                        + " beyond the spread of the repeats: " + String.join(", ", before) + " times its rows/s.**";
    }

    /** A stage's name and how many rows were loaded in it. */
    private String size(Growth growth, int stage) {
        long rows = measurements.of(growth.run(growth.than(), stage)).stream()
                .mapToLong(Measurement::rows)
                .max()
                .orElse(0);
        return String.format(Locale.ROOT, "%s (%,d rows)", growth.stages().get(stage), rows);
    }

    private static void row(StringBuilder text, List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String times(OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : UNKNOWN;
    }

    private static String percent(OptionalDouble share) {
        return share.isPresent() ? String.format(Locale.ROOT, "%.0f %%", share.getAsDouble() * PERCENT) : UNKNOWN;
    }
}
