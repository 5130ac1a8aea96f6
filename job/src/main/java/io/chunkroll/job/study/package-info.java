/**
 * Studies: a question, the runs that answer it side by side, repeated in turning order, and the table of all of them.
 *
 * <pre>
 *  studies/NAME.yaml ─▶ StudyFile ─▶ Study ─▶ StudyRunner ─▶ Measurements ─▶ StudyTable
 *                        (faults,    (runs,    ├─ Run       a load of ours    (every run, medians,
 *                         Scale)      stages)  └─ PsqlCopy  the same file      what others published,
 *                                                           by psql's \copy    ratios, the break-even)
 * </pre>
 */
package io.chunkroll.job.study;
