/**
 * Checks of {@code k8s/} and {@code flink-conf/} that need no cluster. Whatever is wrong is told with the file's or the object's name.
 *
 * <pre>
 *  k8s/ ──▶ Kustomize ──▶ Manifest ──┬──▶ Schemas          the CRDs, Kubernetes' OpenAPI, Prometheus' models; nothing unknown
 *  (kubectl, or what it              ├──▶ References       accounts, secrets, volumes, ports, services: named and there
 *   rendered last)                   ├──▶ JobArguments     the job's own settings, and what a cluster refuses
 *                                    ├──▶ PodRules         no root, no rights
 *                                    └──▶ FlinkOptions     keys that Flink knows  ◀── flink-conf/config.yaml
 *
 *  FlinkDeployment ──▶ NativeCluster ──▶ Flink's own deployer ──▶ a mock API server ──▶ Deployment, Pod
 * </pre>
 */
package io.chunkroll.deployment;
