/**
 * Prepared transactions of the server: how those of a load are named, found again, and ended when the load does not come back. See
 * docs/decisions/exactly-once.md.
 */
package io.chunkroll.sinks.transaction;
