package io.chunkroll.faults.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FaultProxyTest {
    private final BlockingQueue<Socket> accepted = new ArrayBlockingQueue<>(10);
    private ServerSocket server;
    private FaultProxy proxy;
    private Socket client;
    private Socket serverSide;

    @BeforeEach
    void connect() throws Exception {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "accept");
        thread.setDaemon(true);
        thread.start();
        proxy = new FaultProxy(server.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        serverSide = accepted.poll(30, TimeUnit.SECONDS);
        client.setSoTimeout(300);
        serverSide.setSoTimeout(300);
    }

    private void accept() {
        try {
            while (true) {
                accepted.add(server.accept());
            }
        } catch (IOException e) {
            assertThat(server.isClosed()).isTrue();
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        server.close();
        client.close();
        serverSide.close();
    }

    private void assertPasses() throws IOException {
        client.getOutputStream().write('a');
        assertThat(serverSide.getInputStream().read()).isEqualTo('a');
        serverSide.getOutputStream().write('b');
        assertThat(client.getInputStream().read()).isEqualTo('b');
    }

    @Test
    void whatIsSentWhileTheNetworkIsDroppedArrivesLater() throws IOException {
        assertPasses();
        proxy.drop();
        client.getOutputStream().write('c');
        serverSide.getOutputStream().write('d');
        assertThatThrownBy(() -> serverSide.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        proxy.restore();
        assertThat(serverSide.getInputStream().read()).isEqualTo('c');
        assertThat(client.getInputStream().read()).isEqualTo('d');
    }

    @Test
    void aCutIsHeardOnBothSides() throws IOException {
        assertPasses();
        proxy.cut();
        assertEnds(client);
        assertEnds(serverSide);
    }

    @Test
    void aServerDoesNotHearOfClientsThatVanishTillItIsTold() throws IOException {
        assertPasses();
        proxy.cutClientsOnly();
        assertEnds(client);
        assertThatThrownBy(() -> serverSide.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        proxy.forget();
        assertEnds(serverSide);
    }

    @Test
    void anEndOfOneSideIsTheEndOfTheOther() throws IOException {
        assertPasses();
        client.close();
        assertEnds(serverSide);
    }

    private static void assertEnds(Socket socket) {
        await().ignoreException(SocketTimeoutException.class).until(() -> {
            try {
                return socket.getInputStream().read() < 0;
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                return true;
            }
        });
    }
}
