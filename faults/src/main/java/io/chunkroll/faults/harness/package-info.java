/**
 * The fault harness: loads on a cluster of processes, a fault at a random moment again and again, and a count of the rows afterwards.
 *
 * <pre>
 *  {@link io.chunkroll.faults.harness.FaultHarness}: rounds till there were enough faults ──▶ FaultTable (Markdown)
 *     │
 *     └─▶ Round: submit ─▶ (random pause ─▶ FaultKind.strike ─▶ wait till it commits again)… ─▶ end of input ─▶ Verifier
 *             │                   │                                    │                                      │
 *         RunningLoad         Rig: cluster, proxy,              CommitWatch: longest                 Reference: the same rows,
 *         (job on a cluster)  server, small disks               time without a commit                loaded once by psql
 * </pre>
 */
package io.chunkroll.faults.harness;
