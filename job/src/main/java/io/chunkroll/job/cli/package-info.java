/** The commands of the launcher: each reads its words, calls one class that does the work, and says how it went. */
package io.chunkroll.job.cli;
