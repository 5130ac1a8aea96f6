/**
 * One load, from settings to run folder.
 *
 * <pre>
 *  Settings ──▶ Target ──▶ Load ──▶ Pipeline ──▶ LocalJob (MiniCluster) ──▶ RunResult ──▶ run.json, report.html
 *               (server,    (table,              │
 *                given or    columns,            └─ RunMetrics ─▶ Sampler ─▶ timeline.csv, terminal
 *                embedded)   source)                              └─ DatabaseProbe (chunks, WAL, sizes)
 *               afterwards AfterLoad ─▶ IdleDetector
 * </pre>
 *
 * {@link io.chunkroll.job.run.Load} and {@link io.chunkroll.job.run.Pipeline} alone are what a cluster needs, too; the rest is for a
 * load on this machine.
 */
package io.chunkroll.job.run;
