/**
 * Joins sources and sinks.
 *
 * <pre>
 *  words, YAML ──▶ settings ──▶ run (server, table, pipeline, watching) ──▶ run folder ──▶ report
 *                                 └─ IngestJob: the same pipeline on a cluster
 *  cli: the commands of the launcher
 * </pre>
 */
package io.chunkroll.job;
