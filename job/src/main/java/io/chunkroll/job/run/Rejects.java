package io.chunkroll.job.run;

import io.chunkroll.sinks.reject.RejectFolder;
import java.io.IOException;

/** The rows that a run refused. */
interface Rejects {
    /** How many there are, as far as they are told of for good. */
    long rows() throws IOException;

    /** Whether that is known to the last. */
    boolean isExact();

    /** Where they are told of, in the user's words. */
    String shown();

    /** Those of a run on this machine: what its folder holds. */
    static Rejects in(RejectFolder folder, String shown) {
        return new Rejects() {
            @Override
            public long rows() throws IOException {
                return folder.published();
            }

            @Override
            public boolean isExact() {
                return true;
            }

            @Override
            public String shown() {
                return shown;
            }
        };
    }
}
