package io.chunkroll.job.settings;

import io.chunkroll.job.settings.Settings.Create;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.sources.csv.CsvOptions.OnBadRow;

/** Refuses what is right on one machine and wrong on several. */
final class ClusterRules {
    private final SettingsReader reader;

    ClusterRules(SettingsReader reader) {
        this.reader = reader;
    }

    void check() {
        if (!reader.isSet(AllSettings.URL) && reader.value(AllSettings.SINK_KIND) != SinkKind.DISCARD) {
            reader.fault(
                    AllSettings.URL.key() + ": is needed on a cluster, whose machines cannot reach an embedded server");
        }
        if (reader.value(AllSettings.CREATE) == Create.RECREATE) {
            reader.fault(AllSettings.CREATE.key()
                    + ": recreate is refused on a cluster, where a job's main method runs again when its JobManager fails"
                    + " over or it goes on from a savepoint, and would drop the rows that are committed: drop the table by"
                    + " hand before the first submission, and set if-missing, or never if you make it yourself");
        }
        reader.refuse(
                AllSettings.MAP_JAR,
                "is a file of this machine; on a cluster put the jar into Flink's lib/, or into usrlib/ in application mode");
        String path = reader.value(AllSettings.SOURCE_PATH);
        if (path != null && !FlinkPaths.isAbsolute(path)) {
            reader.fault(AllSettings.SOURCE_PATH.key() + " \"" + path
                    + "\": a cluster needs an absolute path or a URI, that all its machines can read");
        }
        checkRejects();
    }

    private void checkRejects() {
        String folder = reader.value(AllSettings.REJECTS_DIR);
        boolean isFit = folder != null && FlinkPaths.isAbsolute(folder);
        if (reader.value(AllSettings.ON_BAD_ROW) == OnBadRow.REJECT && !isFit) {
            reader.fault(
                    AllSettings.REJECTS_DIR.key()
                            + (folder == null ? "" : " \"" + folder + "\"")
                            + ": with source.on-bad-row reject a cluster needs an absolute path or a URI here, of a folder that all its"
                            + " machines share, such as s3://bucket/rejects; anything else would be another folder on each of them");
        }
    }
}
