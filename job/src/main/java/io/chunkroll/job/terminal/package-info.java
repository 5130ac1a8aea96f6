/** A bar at the foot of a terminal, and what its reader sees of a load. */
package io.chunkroll.job.terminal;
