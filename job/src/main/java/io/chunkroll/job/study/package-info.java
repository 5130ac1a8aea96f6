/**
 * Studies: a question, the runs that answer it side by side, repeated in turning order, and the table of all of them.
 *
 * <pre>
 *  studies/NAME.yaml ─▶ Study ─▶ StudyRunner ─▶ Measurement, one a run ─▶ StudyTable
 *                                 ├─ Run       a load of ours
 *                                 └─ PsqlCopy  the same file by psql's \copy
 * </pre>
 */
package io.chunkroll.job.study;
