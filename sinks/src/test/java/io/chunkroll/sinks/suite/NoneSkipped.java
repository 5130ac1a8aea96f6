package io.chunkroll.sinks.suite;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** A test that gives up is a test that failed: the suite skips a test, and says nothing, where a sink cannot be made. */
final class NoneSkipped implements TestExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw thrown instanceof TestAbortedException ? new AssertionError("The test was given up", thrown) : thrown;
    }
}
