package io.chunkroll.job.settings;

import java.util.List;

/** The settings cannot be followed. Holds every fault there is, so that they are mended in one go. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<String> faults;

    public SettingsException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    /** Each names its key and says what is wrong with the value. */
    public List<String> faults() {
        return faults;
    }
}
