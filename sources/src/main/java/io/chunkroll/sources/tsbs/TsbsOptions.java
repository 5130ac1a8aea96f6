package io.chunkroll.sources.tsbs;

import java.io.Serializable;

/**
 * What a load from TSBS files is told.
 *
 * @param path as for CSV files: a file, a folder or a glob
 * @param measurement the one that is loaded; empty for the only one that there is
 * @param rejects whether bad rows are set aside; if not, they fail the load
 */
public record TsbsOptions(String path, String measurement, boolean rejects) implements Serializable {
    /** That of the use case of which most files are. */
    public static final String USUAL_MEASUREMENT = "cpu";
}
