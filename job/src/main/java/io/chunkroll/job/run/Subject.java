package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.sinks.table.Chunk;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.sources.fleet.FleetOptions;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run is about.
 *
 * @param settings what was asked for
 * @param table the table; empty where rows are discarded, or it cannot be looked at from here
 */
record Subject(Settings settings, Optional<TargetTable> table) {

    /** How many rows the source has, where that is known before. */
    OptionalLong expectedRows() {
        return settings.source()
                .fleet()
                .filter(FleetOptions::isBounded)
                .map(fleet -> OptionalLong.of(fleet.rows()))
                .orElse(OptionalLong.empty());
    }

    /** What the run and its folder are called where nobody chose a name. */
    String name() {
        return table.map(target ->
                        target.name().name() + '-' + target.layout().name().toLowerCase(Locale.ROOT))
                .orElseGet(() -> settings.sink().kind() == Settings.SinkKind.DISCARD
                        ? "discard"
                        : settings.sink().table());
    }

    boolean hasChunks() {
        return table.filter(Chunk::has).isPresent();
    }
}
