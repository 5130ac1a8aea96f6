/** What the tests of all modules share about Flink. */
package io.chunkroll.testing;
