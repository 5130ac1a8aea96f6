package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.sinks.reject.RejectFolder;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rejects of a load on a cluster: what their folder holds more than before if it can be read from here, else what the cluster counts.
 *
 * @param before rows in the folder before the load; empty where it cannot be read
 */
record ClusterRejects(Settings settings, RestMetrics metrics, OptionalLong before) implements Rejects {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterRejects.class);

    static Rejects of(Settings settings, RestMetrics metrics, OptionalLong before) {
        return new ClusterRejects(settings, metrics, before);
    }

    /** Rows in the folder now; empty where it cannot be read from here. None where every bad row fails the job. */
    static OptionalLong published(Settings settings) {
        Optional<RejectFolder> folder = RejectPlace.onCluster(settings).map(RejectFolder::new);
        if (folder.isEmpty()) {
            return OptionalLong.of(0);
        }
        try {
            return OptionalLong.of(folder.get().published());
        } catch (IOException e) {
            LOG.info("The folder of rejects cannot be read from here", e);
            return OptionalLong.empty();
        }
    }

    @Override
    public long rows() {
        OptionalLong now = before.isPresent() ? published(settings) : before;
        return now.isPresent() ? now.getAsLong() - before.getAsLong() : metrics.rowsRejected();
    }

    @Override
    public boolean isExact() {
        return before.isPresent();
    }

    @Override
    public String shown() {
        return settings.rejectsDir().orElse("");
    }
}
