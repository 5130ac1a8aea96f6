package io.chunkroll.sinks.copy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and the server and cuts the client off when it commits. How the first commits end is given; all later ones pass.
 */
final class CommitCutter implements AutoCloseable {

    /** What becomes of a commit whose answer never comes. */
    enum Cut {
        /** The server commits; its answer is swallowed. */
        ARRIVES,
        /** The server never hears of it, and sees the connection end. */
        IS_LOST,
        /** The server never hears of it, and goes on waiting: the network is gone between the two. */
        IS_LOST_SILENTLY
    }

    private static final byte[] COMMIT = "COMMIT\0".getBytes(StandardCharsets.US_ASCII);

    private final int serverPort;
    private final List<Cut> cuts;
    private final AtomicInteger commits = new AtomicInteger();
    private final ServerSocket listener;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    CommitCutter(int serverPort, Cut... cuts) throws IOException {
        this.serverPort = serverPort;
        this.cuts = List.of(cuts);
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Commits seen so far; those that a connection sends after its first by the statement's name are not. */
    int commits() {
        return commits.get();
    }

    private interface Action {
        void run() throws IOException;
    }

    private static void start(String name, Action action) {
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (IOException e) {
                        // A connection ended, which is what this class is for.
                    }
                },
                "cutter-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.add(client);
            sockets.add(server);
            start("to-server", () -> pumpToServer(client, server));
            start("to-client", () -> pumpToClient(server, client));
        }
    }

    private void pumpToServer(Socket client, Socket server) throws IOException {
        byte[] buffer = new byte[1 << 16];
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            int commit = contains(buffer, read) ? commits.getAndIncrement() : Integer.MAX_VALUE;
            if (commit < cuts.size()) {
                cut(cuts.get(commit), client, server, buffer, read);
                return;
            }
            out.write(buffer, 0, read);
        }
        server.close();
    }

    private static void cut(Cut cut, Socket client, Socket server, byte[] buffer, int length) throws IOException {
        switch (cut) {
            case ARRIVES -> {
                // Before the commit goes out, so that no answer can slip through.
                client.close();
                server.getOutputStream().write(buffer, 0, length);
            }
            case IS_LOST -> {
                client.close();
                server.close();
            }
            case IS_LOST_SILENTLY -> client.close();
        }
    }

    private static void pumpToClient(Socket server, Socket client) throws IOException {
        try (client) {
            InputStream in = server.getInputStream();
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                client.getOutputStream().write(buffer, 0, read);
            }
        }
    }

    private static boolean contains(byte[] buffer, int length) {
        for (int from = 0; from + COMMIT.length <= length; from++) {
            if (java.util.Arrays.equals(buffer, from, from + COMMIT.length, COMMIT, 0, COMMIT.length)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
