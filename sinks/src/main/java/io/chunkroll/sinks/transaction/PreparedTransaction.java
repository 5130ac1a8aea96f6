package io.chunkroll.sinks.transaction;

import java.time.Instant;

/**
 * A prepared transaction that waits on the server for its end.
 *
 * @param id its name
 * @param owner the role that prepared it, which alone (or a superuser) can end it
 * @param prepared when, by the server's clock
 */
public record PreparedTransaction(TransactionId id, String owner, Instant prepared) {}
