package io.chunkroll.rows;

import java.io.Serializable;

/**
 * A column of the target table.
 *
 * @param name its name as the catalogue has it, unquoted
 * @param type how its values are encoded
 * @param sqlType its type as SQL spells it, with modifiers: {@code character varying(30)}
 * @param notNull whether the table refuses NULL in it
 */
public record Column(String name, ColumnType type, String sqlType, boolean notNull) implements Serializable {}
