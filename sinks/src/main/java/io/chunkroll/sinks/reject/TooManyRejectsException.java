package io.chunkroll.sinks.reject;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** More rows were refused than {@code source.max-bad-rows} allows. Flink does not restart a job that fails so: it would meet them again. */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class TooManyRejectsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyRejectsException(RejectOptions options, String last) {
        super("More than " + options.most() + " rows were rejected (source.max-bad-rows); the last one " + last
                + " (counted are the files rejects-" + options.load() + "-… in " + options.folder() + ")");
    }
}
