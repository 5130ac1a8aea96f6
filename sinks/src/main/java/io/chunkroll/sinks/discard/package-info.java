/** No target at all: the ceiling of a source. */
package io.chunkroll.sinks.discard;
