/**
 * A standalone Flink cluster of processes on this machine, made of the jars that Maven has: what a test cannot do to a MiniCluster, it can
 * do to this one.
 *
 * <pre>
 *  {@link io.chunkroll.faults.cluster.StandaloneCluster} ──▶ ClusterFolder: config.yaml, logs, tmp, checkpoints
 *        │        └──▶ JavaProcess: JobManagers (with a ZooKeeper, if several), any number of TaskManagers
 *        └──▶ {@link io.chunkroll.job.cluster.FlinkRest} ──▶ {@link io.chunkroll.job.cluster.JobStatus}
 * </pre>
 */
package io.chunkroll.faults.cluster;
