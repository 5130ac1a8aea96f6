package io.chunkroll.deployment;

import java.util.stream.Stream;

/** Ways to break each file of {@code k8s/}, as people do: a letter too few, a name of yesterday, a number for a text. */
final class Breaks {
    private Breaks() {}

    /**
     * A way to break a file.
     *
     * @param refusal what is said of it
     * @param rendered whether only what kustomize makes of the file shows it
     */
    record Break(String file, String good, String bad, String refusal, boolean rendered) {
        static Break of(String file, String good, String bad, String refusal) {
            return new Break(file, good, bad, refusal, false);
        }

        static Break rendered(String file, String good, String bad, String refusal) {
            return new Break(file, good, bad, refusal, true);
        }

        /** One that is made of the file. */
        String overlay() {
            return file.startsWith("overlays") ? file.split("/")[1] : "minikube";
        }

        @Override
        public String toString() {
            return file + ": " + bad.strip();
        }
    }

    static Stream<Break> all() {
        return Stream.of(ofBase(), ofMonitoring(), ofOverlays()).flatMap(breaks -> breaks);
    }

    private static Stream<Break> ofBase() {
        return Stream.of(
                Break.of("base/namespace.yaml", "labels:", "label:", "`label`"),
                Break.of(
                        "base/rbac.yaml",
                        "verbs: [get, list, watch, create",
                        "verb: [get, list, watch, create",
                        "`verb"),
                Break.rendered(
                        "base/rbac.yaml", "kind: Role\n  name: chunkroll", "kind: Role\n  name: flink", "Role flink"),
                Break.of("base/flinkdeployment.yaml", "replicas: 1", "replica: 1", "'replica' is not defined"),
                Break.of("base/flinkdeployment.yaml", "flinkVersion: v2_3", "flinkVersion: v2_33", "flinkVersion"),
                Break.of("base/flinkdeployment.yaml", "upgradeMode: savepoint", "upgradeMode: save", "upgradeMode"),
                Break.of("base/flinkdeployment.yaml", "num-retained: \"3\"", "num-retained: 3", "num-retained"),
                Break.of("base/flinkdeployment.yaml", "  secretKeyRef:", "  secretkeyRef:", "secretkeyRef"),
                Break.rendered("base/flinkdeployment.yaml", "num-retained:", "num-kept:", "Flink has no such option"),
                Break.rendered("base/flinkdeployment.yaml", "max-backoff: 1 min", "max-backoff: soon", "max-backoff"),
                Break.rendered("base/flinkdeployment.yaml", "key: password", "key: passwort", "a key passwort"),
                Break.rendered(
                        "base/flinkdeployment.yaml", "serviceAccount: chunkroll", "serviceAccount: flink", "flink"),
                Break.of("base/networkpolicy.yaml", "policyTypes:", "policyType:", "`policyType`"),
                Break.of(
                        "base/networkpolicy.yaml",
                        "- port: 53\n          protocol: UDP",
                        "- port: 53\n          protocol: 17",
                        "protocol"),
                Break.rendered(
                        "base/networkpolicy.yaml",
                        "  podSelector:\n    matchLabels:\n      app: chunkroll",
                        "  podSelector:\n    matchLabels:\n      app: flink",
                        "selects no pods"),
                Break.rendered("base/kustomization.yaml", "resources:", "resource:", "unknown field"),
                Break.rendered("base/kustomization.yaml", "  - rbac.yaml\n", "", "no ServiceAccount chunkroll"));
    }

    private static Stream<Break> ofMonitoring() {
        String monitor = "prometheus/podmonitor.yaml";
        String rules = "prometheus/rules.yaml";
        String rule = "prometheus/prometheusrule.yaml";
        String dashboard = "grafana/chunkroll.json";
        return Stream.of(
                Break.of(monitor, "podMetricsEndpoints:", "podMetricsEndpoint:", "podMetricsEndpoint: is not known"),
                Break.of(monitor, "interval: 15s", "every: 15s", "/every: is not known"),
                Break.of(rule, "- alert: ChunkrollRetries", "- alarm: ChunkrollRetries", "/alarm: is not known"),
                Break.of(rule, "for: 2m", "for: 5m", "is not made of prometheus/rules.yaml"),
                Break.of(rules, "operator_committedRows", "operator_commitedRows", "has no flink_taskmanager_job_task"),
                Break.of(rules, "job:chunkroll_retries", "job:chunkroll_retry", "is not made of"),
                Break.of(rules, "- alert: ChunkrollRejects", "- alert: ChunkrollBadRows", "the alert ChunkrollBadRows"),
                Break.of(rules, "severity: warning", "severity: ''", "ChunkrollRetries has no severity"),
                Break.of(dashboard, "operator_walBytes", "operator_wal_bytes", "operator_wal_bytes"),
                Break.of(dashboard, "\"x\": 12,", "\"x\": 13,", "does not fit"),
                Break.of(dashboard, "\"x\": 12,", "\"x\": 11,", "lies upon another"),
                Break.of(dashboard, "\"name\": \"job\"", "\"name\": \"load\"", "no variable job"),
                Break.of(dashboard, "\"schemaVersion\": 38", "\"schemaVersion\": 16", "schemaVersion"),
                Break.of(dashboard, "\"panels\": [", "\"panels\": ", "no JSON"),
                Break.rendered("prometheus/kustomization.yaml", "prometheusrule.yaml", "rule.yaml", "rule.yaml"),
                Break.rendered("grafana/kustomization.yaml", "files:", "file:", "unknown field"),
                Break.rendered("grafana/kustomization.yaml", "chunkroll.json", "chunkrol.json", "chunkrol.json"));
    }

    private static Stream<Break> ofOverlays() {
        String minikube = "overlays/minikube/";
        String production = "overlays/production/";
        String session = "overlays/session/";
        return Stream.of(
                Break.rendered(minikube + "flinkdeployment.yaml", "--sink.table", "--sink.tabel", "sink.tabel"),
                Break.rendered(minikube + "flinkdeployment.yaml", "- exactly-once", "- exactly-onc", "sink.guarantee"),
                Break.rendered(
                        minikube + "flinkdeployment.yaml",
                        "--sink.layout\n      - hypertable",
                        "--sink.create\n      - recreate",
                        "recreate is refused on a cluster"),
                Break.rendered(
                        minikube + "flinkdeployment.yaml",
                        "--job.parallelism\n      - \"2\"",
                        "--job.parallelism\n      - \"3\"",
                        "job.parallelism is 3"),
                Break.rendered(
                        minikube + "flinkdeployment.yaml",
                        "//timescaledb:5432",
                        "//timescale:5432",
                        "no Service timescale"),
                Break.rendered(
                        minikube + "flinkdeployment.yaml",
                        "      - --sink.user\n      - loader",
                        "      - --sink.user\n      - loader\n      - --sink.password\n      - secret",
                        "belongs into a Secret"),
                Break.rendered(
                        minikube + "pod-template.yaml",
                        "claimName: flink-state",
                        "claimName: flink",
                        "no PersistentVolumeClaim flink"),
                Break.rendered(
                        minikube + "pod-template.yaml",
                        "path: /spec/podTemplate/spec/volumes",
                        "path: /spec/podTemplates/spec/volumes",
                        "podTemplates"),
                Break.rendered(
                        minikube + "pod-template.yaml",
                        "    - name: await-server\n      image:",
                        "    - name: await-server\n      picture:",
                        "'picture' is not defined"),
                Break.of(minikube + "state.yaml", "accessModes:", "accessMode:", "`accessMode`"),
                Break.of(minikube + "timescaledb.yaml", "serviceName:", "service:", "`service`"),
                Break.of(
                        minikube + "timescaledb.yaml",
                        "- name: POSTGRES_DB\n              value: metrics",
                        "- name: POSTGRES_DB\n              value: 17",
                        "17 must be a text"),
                Break.rendered(
                        minikube + "timescaledb.yaml",
                        "mountPath: /dev/shm",
                        "mountPath: /dev/shm\n            - name: wal\n              mountPath: /wal",
                        "mounts wal"),
                Break.rendered(
                        minikube + "timescaledb.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "runs as root"),
                Break.rendered(
                        minikube + "timescaledb.yaml",
                        "tcpSocket:\n              port: postgresql",
                        "tcpSocket:\n              port: postgres",
                        "asks port postgres"),
                Break.of(minikube + "networkpolicy.yaml", "- port: 5432", "- ports: 5432", "`ports`"),
                Break.rendered(minikube + "kustomization.yaml", "  - timescaledb.yaml\n", "", "no Service timescaledb"),
                Break.rendered(
                        production + "flinkdeployment.yaml", "s3://example-data/rejects", "rejects", "run.rejects-dir"),
                Break.rendered(
                        production + "flinkdeployment.yaml",
                        "jobmanager.scheduler",
                        "jobmanager.schedule",
                        "Flink has no such option"),
                Break.rendered(
                        production + "pod-template.yaml", "key: access-key-id", "key: access-key", "a key access-key"),
                Break.rendered(production + "pod-template.yaml", "maxSkew: 1", "maxSkew: one", "maxSkew"),
                Break.of(production + "networkpolicy.yaml", "cidr:", "cird:", "`cird`"),
                Break.of(production + "poddisruptionbudget.yaml", "minAvailable:", "minAvailabel:", "`minAvailabel`"),
                Break.rendered(
                        production + "kustomization.yaml",
                        "disableNameSuffixHash: true",
                        "disableNameSuffixHash: false",
                        "no ConfigMap database-ca"),
                Break.rendered(
                        session + "flinksessionjob.yaml",
                        "deploymentName: chunkroll",
                        "deploymentName: flink",
                        "no session cluster flink"),
                Break.of(session + "flinksessionjob.yaml", "entryClass:", "mainClass:", "'mainClass' is not defined"),
                Break.rendered(
                        session + "flinksessionjob.yaml", "svc:8080", "svc:8081", "chunkroll-jar with a port 8081"),
                Break.of(session + "jar.yaml", "emptyDir: {}", "emptydir: {}", "`emptydir`"),
                Break.rendered(
                        session + "jar.yaml",
                        "allowPrivilegeEscalation: false",
                        "allowPrivilegeEscalation: true",
                        "may gain rights"),
                Break.rendered(session + "kustomization.yaml", "path: /spec/job", "path: /spec/jobs", "jobs"));
    }
}
