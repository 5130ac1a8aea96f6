/**
 * PostgreSQL with TimescaleDB on this machine, for loads, demos and tests that have no server of their own.
 *
 * <pre>
 *  PostgresServer.startPrivate ──▶ PrivateServers ─┐                       ┌─▶ NativeEngine ──▶ pg_ctl, postgres
 *   (a test's; gone when closed)    lease, sweep   ├─▶ Engines ─▶ Engine ──┤     as oneself, or as nobody for root
 *  PostgresServer.joinShared ────▶ SharedServer ───┘      │                └─▶ DockerEngine ──▶ docker run
 *   (the user's; keeps its data)    leases, mutex,        │                      where Debian's packages cannot be had
 *                                   SharedFiles           ▼
 *                                                  PostgresInstall ──▶ DebianPrograms ──▶ programs/  (unpacked, patched)
 *                                                   once a machine      AptDownload   templates/ (ClusterTemplate)
 * </pre>
 *
 * Read it in this order: {@link io.chunkroll.server.PostgresServer} is what everyone uses;
 * {@link io.chunkroll.server.SharedServer} has what the command {@code db} does; {@code NativeEngine} runs processes;
 * {@code PostgresInstall} gets the programs by way of {@link io.chunkroll.server.DebianPrograms}, which gets others as well;
 * {@code CacheFolder} says where everything lies.
 * {@link io.chunkroll.server.ServerUsage} tells what a server costs.
 */
package io.chunkroll.server;
