/** PostgreSQL with TimescaleDB on this machine. */
package io.chunkroll.server;
