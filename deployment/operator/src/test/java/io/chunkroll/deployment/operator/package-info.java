/**
 * What the operator itself says of the FlinkDeployments and FlinkSessionJobs that {@code deployment/rendered/} holds. The operator brings
 * a Flink of its own, older than ours, so this module shares no class with any other.
 */
package io.chunkroll.deployment.operator;
