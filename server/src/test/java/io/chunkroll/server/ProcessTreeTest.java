package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
    @Test
    void readsAStatLineWhoseNameHoldsSpacesAndBrackets() {
        ProcessTree.Stat stat =
                ProcessTree.Stat.parse("42 (a) b (c) S 7 42 42 0 -1 4194560 1 2 3 4 100 20 5 6 20 0 1 0 9876 1 2");
        assertThat(stat).isEqualTo(new ProcessTree.Stat(42, 'S', 7, 9876, 120, 11));
    }

    @Test
    void seesAProcessAndItsChildrenEnd() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "sleep 60 & wait").start();
        while (shell.descendants().findAny().isEmpty()) {
            Thread.sleep(10);
        }
        List<Long> pids = ProcessTree.pids(shell.pid());
        assertThat(pids).hasSize(2).allMatch(ProcessTree::isAlive);
        ProcessTree.stopAll(shell.pid());
        // A signal takes a moment to arrive.
        await().until(() -> ProcessTree.of(shell.pid()).stream().allMatch(stat -> stat.state() == 'T'));
        ProcessTree.killAll(shell.pid());
        await().until(() -> pids.stream().noneMatch(ProcessTree::isAlive));
    }
}
