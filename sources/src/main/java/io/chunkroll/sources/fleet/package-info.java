/**
 * Rows made up on the spot: a fleet of devices, each with a row every step.
 *
 * <pre>
 *  FleetOptions ─▶ DataSet ─▶ RowGenerator ──▶ FieldWriter ─┬─ TupleFields ─▶ Tuple ─▶ Flink
 *  (how many,      (table,    (a row's values, (a row,      │   in FleetReader, one for each subtask
 *   since when)     indexes,   by seed, device  shown       ├─ CsvFields ───┐
 *                   tags)      and step)        field by    └─ TsbsFields ──┴▶ file
 *                                               field)          in FleetFileWriter, for the command generate
 *
 *  FleetSource ─▶ FleetEnumerator ── splits: ranges of devices ──▶ FleetReader ─▶ SplitRun (one a split)
 *                              ▲ ── SlowestStep ─────────────────▶ │
 *                              └─────────────── ReaderProgress ────┘
 * </pre>
 *
 * A value depends on (seed, device, step) and nothing else; so a checkpoint needs no values, any number of readers makes the same
 * rows, and a file holds what a generated load would have held.
 *
 * <p>Two kinds of data sets keep something of each device, because a value walks on from the one before: cpu and tsbs-cpu. Of the others a
 * row follows from its place alone. Mixed and customer have no devices at all but numbered rows ({@code NumberedRows}).
 *
 * <p>A further data set is a subclass of {@link io.chunkroll.sources.fleet.DataSet} with its generator, listed in
 * {@link io.chunkroll.sources.fleet.DataSets}; a further file format is a further field writer.
 */
package io.chunkroll.sources.fleet;
