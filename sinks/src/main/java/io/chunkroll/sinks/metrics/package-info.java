/** What every sink counts, under the names of Flink's FLIP-33 where it has one. */
package io.chunkroll.sinks.metrics;
