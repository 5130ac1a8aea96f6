package io.chunkroll.faults.harness;

import java.time.Duration;

/**
 * One fault that befell a load, and what came of it.
 *
 * @param doubled rows that were there twice soon afterwards, and not before
 * @param standstill the longest time without a new row, from the fault till the job was committing again
 */
record Strike(FaultKind kind, long doubled, Duration standstill) {}
