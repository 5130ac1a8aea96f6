package io.chunkroll.job.run;

import sun.misc.Signal;

/** Whether the user wants the run to end: by Ctrl-C or a termination signal. The second one ends the process at once. */
public final class StopRequest {
    private static final int BROKEN_OFF = 130;

    private volatile boolean requested;

    /** A request that nobody makes. */
    public static StopRequest never() {
        return new StopRequest();
    }

    /** Listens to the process's signals from now on. */
    public static StopRequest onSignals() {
        StopRequest request = new StopRequest();
        for (String name : new String[] {"INT", "TERM"}) {
            Signal.handle(new Signal(name), signal -> {
                if (request.requested) {
                    Runtime.getRuntime().halt(BROKEN_OFF);
                }
                request.requested = true;
            });
        }
        return request;
    }

    boolean isRequested() {
        return requested;
    }
}
