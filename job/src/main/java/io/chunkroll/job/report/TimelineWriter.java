package io.chunkroll.job.report;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Writes timeline.csv while the run goes on: each row is in the file when {@link #append} returns. For one thread at a time. */
public final class TimelineWriter implements Closeable {
    private final Writer file;

    private TimelineWriter(Writer file) {
        this.file = file;
    }

    /** Begins a timeline in this run folder, with its header; one that was there is replaced. */
    public static TimelineWriter create(Path runFolder) throws IOException {
        TimelineWriter writer = new TimelineWriter(Files.newBufferedWriter(runFolder.resolve(Timeline.FILE)));
        writer.writeLine(Timeline.header());
        return writer;
    }

    /** Adds a row and flushes it. */
    public void append(TimelinePoint point) throws IOException {
        writeLine(Arrays.stream(TimelineColumn.values())
                .map(column -> column.cell(point))
                .collect(Collectors.joining(",")));
    }

    private void writeLine(String line) throws IOException {
        file.write(line + "\n");
        file.flush();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
