package io.chunkroll.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.server.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The job jar on a cluster as users have it, one of whose processes dies. */
@Timeout(180)
class StandaloneClusterITCase {
    @Test
    void aLoadOutlivesATaskManager() {
        try (TestDatabase database = TestDatabase.create();
                StandaloneCluster cluster = StandaloneCluster.start(ClusterOptions.small(SmallLoad.LIB))) {
            SmallLoad load = new SmallLoad(database);
            FlinkRest rest = cluster.rest();
            String job = SmallLoad.submit(rest, load.arguments("exactly-once", 2));
            load.awaitUnderWay(rest, job);

            cluster.killTaskManager(rest.busyTaskManagers().get(0));

            SmallLoad.awaitFinished(cluster, job);
            assertThat(rest.exceptions(job)).as("what it was restarted for").isNotEmpty();
            load.assertEachRowIsThereOnce();
            assertThat(database.count(
                            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'chunkroll %'"))
                    .isZero();
        }
    }
}
