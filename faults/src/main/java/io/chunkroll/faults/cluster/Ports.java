package io.chunkroll.faults.cluster;

import io.chunkroll.job.cluster.ClusterException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ports for a JobManager, which binds them some seconds after they were chosen, and once more after it was killed. So they lie below those
 * that the system gives to whoever asks for any port or connects somewhere: from 32768 on, where Linux is left as it comes.
 */
final class Ports {
    private static final Logger LOG = LoggerFactory.getLogger(Ports.class);
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 100;

    private Ports() {}

    static int free() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                LOG.debug("Port {} is taken", port, e);
            }
        }
        throw new ClusterException("no free TCP port of " + FIRST + " to " + END + " on 127.0.0.1");
    }
}
