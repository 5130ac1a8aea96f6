package io.chunkroll.sinks.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task waits for those who look at its metrics often, and for nobody else. */
@Timeout(30)
final class LastLookTest {
    private final LastLook looks = new LastLook();

    @Test
    void nobodyLooks() {
        looks.await();
        looks.looked();
        looks.await();
    }

    @Test
    void theNextLookEndsTheWait() throws Exception {
        looks.looked();
        Thread.sleep(1_000);
        looks.looked();
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(looks::await);
        Thread.sleep(50);
        boolean waited = !waiting.isDone();
        looks.looked();
        waiting.get();
        assertThat(waited).isTrue();
    }

    @Test
    void whoLooksNoMoreIsNotWaitedForWithoutEnd() throws Exception {
        looks.looked();
        Thread.sleep(20);
        looks.looked();
        looks.await();
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        looks.looked();
        Thread.sleep(1_000);
        looks.looked();
        Thread.currentThread().interrupt();
        looks.await();
        assertThat(Thread.interrupted()).isTrue();
    }
}
