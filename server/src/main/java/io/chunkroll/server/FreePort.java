package io.chunkroll.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.function.IntConsumer;

/** TCP ports of the loopback address. */
final class FreePort {
    private static final int ATTEMPTS = 10;

    private FreePort() {}

    /** Another program took the port between our looking and the server's binding. */
    static final class TakenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TakenException(int port) {
            super("port " + port + " is taken");
        }
    }

    static int find() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new ServerUnavailableException("no free TCP port on 127.0.0.1: " + e, e);
        }
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Calls the action with one free port after the other, until none says that its port was taken. Returns the last. */
    static int use(IntConsumer action) {
        for (int attempt = 1; ; attempt++) {
            int port = find();
            try {
                action.accept(port);
                return port;
            } catch (TakenException e) {
                if (attempt == ATTEMPTS) {
                    throw new ServerUnavailableException(
                            "no TCP port on 127.0.0.1 could be had in " + ATTEMPTS + " attempts: " + e.getMessage(), e);
                }
            }
        }
    }
}
