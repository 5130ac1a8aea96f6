/** Functions for {@code job.map} to begin with: what a user's own looks like. */
package io.chunkroll.job.examples;
