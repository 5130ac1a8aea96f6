package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;

/** Spells rows for assertions. */
final class Text {
    private Text() {}

    static String csv(FleetOptions fleet) {
        return of(fleet, new CsvFields(0));
    }

    static String of(FleetOptions fleet, TextFields fields) {
        RowGenerator rows = fleet.dataset().generator(fleet, 0, fleet.devices());
        for (long row = 0; row < fleet.rows(); row++) {
            rows.write((int) (row % fleet.devices()), row / fleet.devices(), fields);
        }
        return new String(fields.bytes(), 0, fields.length(), StandardCharsets.UTF_8);
    }
}
