/**
 * A table of hosts' tags beside the table of their values, as TSBS has it: {@code tags(id serial primary key, hostname text unique, …)}, to whose
 * {@code id} the column {@code tags_id} of each row refers.
 */
package io.chunkroll.sinks.tags;
