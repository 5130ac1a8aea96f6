package io.chunkroll.faults.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network between clients and a server, both on this machine, so that it can fail.
 *
 * <pre>
 *  client ──▶ [ throttle ] ──▶ [ gate ] ──▶ server
 *         ◀────────────────── [ gate ] ◀──
 * </pre>
 *
 * While the network is dropped, the gate is shut: whatever is sent waits, as TCP would send it again until the network is back, and nobody
 * hears of anything, not even that the other side hung up.
 */
public final class FaultProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FaultProxy.class);

    private final int serverPort;
    private final ServerSocket listener;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Set<Socket> forgotten = ConcurrentHashMap.newKeySet();
    private final Gate gate = new Gate();
    private final Throttle throttle = new Throttle();

    /** Starts to listen on a free port of the loopback address. */
    public FaultProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    /** Where clients connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Lets no more than so many bytes a second go to the server, over all connections together; 0 ends that. */
    public void throttle(long bytesPerSecond) {
        throttle.limit(bytesPerSecond);
    }

    /** From now on nothing passes in either direction, and new connections get no answer. */
    public void drop() {
        gate.shut();
    }

    /** The network is back: what was sent meanwhile arrives, on connections that are still there. */
    public void restore() {
        gate.open();
    }

    /** Ends all connections, and both sides hear of it. */
    public void cut() {
        for (Link link : List.copyOf(links)) {
            links.remove(link);
            reset(link.client);
            reset(link.server);
        }
    }

    /** Ends all connections, but only the clients hear of it: the server goes on waiting for them until {@link #forget()}. */
    public void cutClientsOnly() {
        for (Link link : List.copyOf(links)) {
            links.remove(link);
            forgotten.add(link.server);
            reset(link.client);
        }
    }

    /** The server hears now that connections have ended that {@link #cutClientsOnly()} left open. */
    public void forget() {
        forgotten.forEach(FaultProxy::reset);
        forgotten.clear();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
        forget();
        gate.open();
    }

    private void accept() throws IOException, InterruptedException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            start("connect", () -> connect(client));
        }
    }

    private void connect(Socket client) throws InterruptedException {
        gate.pass();
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Link link = new Link(client, server);
            links.add(link);
            start("to-server", () -> pump(link, client, server, true));
            start("to-client", () -> pump(link, server, client, false));
        } catch (IOException e) {
            LOG.debug("The server takes no connection", e);
            reset(client);
        }
    }

    private void pump(Link link, Socket from, Socket to, boolean throttled) throws IOException, InterruptedException {
        byte[] buffer = new byte[1 << 15];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (throttled) {
                    throttle.pass(read);
                }
                gate.pass();
                out.write(buffer, 0, read);
            }
        } finally {
            gate.pass();
            if (links.remove(link)) {
                end(from);
                end(to);
            }
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("Closing", e);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            LOG.debug("Closed already", e);
        }
        end(socket);
    }

    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private static void start(String name, Action action) {
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (IOException e) {
                        LOG.trace("A connection ended, which is what this class is for", e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** One connection. Each is itself only. */
    private static final class Link {
        private final Socket client;
        private final Socket server;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }
    }

    private static final class Gate {
        private boolean shut;

        synchronized void shut() {
            shut = true;
        }

        synchronized void open() {
            shut = false;
            notifyAll();
        }

        synchronized void pass() throws InterruptedException {
            while (shut) {
                wait();
            }
        }
    }

    /** Bytes leave one after the other; each takes its time. */
    private static final class Throttle {
        private static final double NANOS = 1e9;

        private long bytesPerSecond;
        private long nextNanos;

        synchronized void limit(long limit) {
            bytesPerSecond = limit;
            nextNanos = System.nanoTime();
        }

        void pass(int bytes) throws InterruptedException {
            long wait = reserve(bytes);
            if (wait > 0) {
                Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
            }
        }

        private synchronized long reserve(int bytes) {
            if (bytesPerSecond == 0) {
                return 0;
            }
            long now = System.nanoTime();
            long begin = Math.max(now, nextNanos);
            nextNanos = begin + (long) (bytes * NANOS / bytesPerSecond);
            return begin - now;
        }
    }
}
