package io.chunkroll.job.run;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Whether the user wants the run to end: by Ctrl-C, a termination signal, or the end of the terminal. The second one ends the process at once. */
public final class StopRequest {
    private static final int BROKEN_OFF = 130;

    private volatile boolean requested;

    private StopRequest() {}

    /** Listens to the process's signals from now on. */
    public static StopRequest onSignals() {
        StopRequest request = new StopRequest();
        request.listen("INT");
        request.listen("TERM");
        request.listen("HUP");
        return request;
    }

    /**
     * {@code Signal.handle(new Signal(name), this::signalled)}. The class is part of the module {@code jdk.unsupported}, which every JDK
     * has, but javac warns of its use in a way that cannot be switched off where warnings fail the build.
     */
    private void listen(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Runnable heard = this::signalled;
            MethodHandle signalled = MethodHandles.lookup()
                    .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                    .bindTo(heard);
            Object proxy =
                    MethodHandleProxies.asInterfaceInstance(handler, MethodHandles.dropArguments(signalled, 0, signal));
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This JVM does not tell of the signal " + name, e);
        }
    }

    private void signalled() {
        if (requested) {
            // Not on this thread, which the JVM would wait for; what is open, the server above all, is closed by hooks.
            new Thread(() -> System.exit(BROKEN_OFF), "exit").start();
        }
        requested = true;
    }

    /** Whether it was said. */
    public boolean isRequested() {
        return requested;
    }
}
