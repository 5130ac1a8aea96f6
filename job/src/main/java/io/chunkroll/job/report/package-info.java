/**
 * What is told of runs that are over, or nearly.
 *
 * <pre>
 *  sampler ── TimelineWriter ──► timeline.csv ─┐
 *                                              ├─► RunFolder ──► Sawtooth ──► ClosingWords ──► terminal
 *  run ────────────────────────► run.json ─────┘       │             │             │
 *                                                      └─────────────┴─────────────┴──► Report ──► report.html
 * </pre>
 */
package io.chunkroll.job.report;
