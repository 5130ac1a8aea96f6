package io.chunkroll.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JobManager that leads dies in mid-load; the other one finds the job in the store, and goes on from its checkpoint. */
@Tag("cluster")
@Timeout(180)
final class HighAvailabilityITCase {
    private static StandaloneCluster cluster;

    private TestDatabase database;
    private SmallLoad load;

    @BeforeAll
    static void start() {
        cluster = StandaloneCluster.start(ClusterOptions.small(SmallLoad.LIB).withJobManagers(2));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        load = new SmallLoad(database);
        cluster.startJobManager();
        cluster.awaitTaskManagers(2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Rows of a job that began anew, rather than from its checkpoint, would be there twice. */
    @Test
    void exactlyOnce() {
        loseTheLeaderInMidLoad("exactly-once");

        load.assertEachRowIsThereOnce();
    }

    @Test
    void atLeastOnce() {
        loseTheLeaderInMidLoad("at-least-once");

        load.assertNoRowIsMissing();
    }

    private void loseTheLeaderInMidLoad(String guarantee) {
        String job = SmallLoad.submit(cluster.rest(), load.arguments(guarantee, 2));
        load.awaitUnderWay(cluster.rest(), job);

        cluster.killJobManager();

        assertThat(load.rows()).isLessThan(SmallLoad.ROWS);
        SmallLoad.awaitFinished(cluster, job);
    }
}
