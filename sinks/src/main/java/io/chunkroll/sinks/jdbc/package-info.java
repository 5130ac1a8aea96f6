/**
 * Flink's own JDBC sink, fed with tuples and measured: what most pipelines use today, and what the COPY sink is compared with.
 */
package io.chunkroll.sinks.jdbc;
