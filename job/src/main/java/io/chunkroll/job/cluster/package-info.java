/** A Flink cluster as its REST interface shows it: what {@code submit} and the tests on clusters of processes talk to. */
package io.chunkroll.job.cluster;
