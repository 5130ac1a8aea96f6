package io.chunkroll.job.run;

import io.chunkroll.job.settings.FlinkPaths;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.transaction.TransactionId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** Where a load's rejects go, and what they are called after. */
final class RejectPlace {
    private static final String FOLDER = "rejects";

    private RejectPlace() {}

    /** A run on this machine: nothing comes back to it, and it counts its own rejects alone. */
    static RejectOptions ofRun(Settings settings, Path runFolder) {
        String name = load(settings) + "-" + UUID.randomUUID().toString().substring(0, 8);
        return options(settings, uri(settings, runFolder), TransactionId.prefixOf(name));
    }

    /** The folder of a run on this machine, in the user's words. */
    static String shown(Settings settings, Path runFolder) {
        return settings.rejectsDir().orElse(runFolder.resolve(FOLDER).toString());
    }

    private static String uri(Settings settings, Path runFolder) {
        String shown = shown(settings, runFolder);
        return settings.rejectsDir().filter(FlinkPaths::isAbsolute).orElseGet(() -> FlinkPaths.uri(Path.of(shown)));
    }

    /** A job on a cluster, which finds its own again when it comes back. Empty where nothing is rejected. */
    static Optional<RejectOptions> onCluster(Settings settings) {
        return isWanted(settings)
                ? Optional.of(options(settings, settings.rejectsDir().orElseThrow(), load(settings)))
                : Optional.empty();
    }

    private static boolean isWanted(Settings settings) {
        return settings.source().mostRejects().isPresent();
    }

    private static RejectOptions options(Settings settings, String folder, String load) {
        long most = settings.source().mostRejects().orElse(RejectOptions.NO_LIMIT);
        return new RejectOptions(folder, load, most);
    }

    /** The same over restarts and resubmissions. */
    private static String load(Settings settings) {
        return settings.sink()
                .transactionPrefix()
                .orElseGet(() -> TransactionId.prefixOf(settings.sink().table()));
    }
}
