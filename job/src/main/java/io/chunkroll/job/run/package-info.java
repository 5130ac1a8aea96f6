/**
 * One load, from settings to run folder.
 *
 * <pre>
 *  Run:         Settings ──▶ Target ──▶ Load ──▶ Pipeline ──▶ LocalJob (MiniCluster) ──┐
 *                            (server,   (table,                                        ├─▶ Watch ──▶ run.json, report.html
 *  Submission:  Settings ──▶  given or   columns, ──▶ job jar ──▶ ClusterJob (REST) ───┘     │
 *                             embedded)  source)                                             ├─ JobMetrics ─▶ Sampler ─▶ timeline.csv, terminal
 *                                                                                            └─ DatabaseProbe (chunks, WAL, sizes)
 *               afterwards AfterLoad ─▶ IdleDetector
 * </pre>
 *
 * {@link io.chunkroll.job.run.Load} and {@link io.chunkroll.job.run.Pipeline} alone are what a job on a cluster needs, by {@link
 * io.chunkroll.job.run.ClusterLoad}; the rest starts and follows it from outside.
 */
package io.chunkroll.job.run;
