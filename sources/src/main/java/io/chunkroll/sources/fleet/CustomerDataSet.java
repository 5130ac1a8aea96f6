package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.time.Duration;
import java.util.List;

/**
 * The customer table of TPC-C, as DBT-2 fills it, with the types that bulk loaders are tested with. Unlike TPC-C's, {@code c_id} ascends over
 * the whole table and is unique, and {@code c_d_id} is any random number: an index that grows at its end, and one that grows everywhere.
 *
 * <p>{@code c_since} is a row's time. There is no partition key: no two rows belong together.
 */
final class CustomerDataSet extends DataSet {
    private static final long serialVersionUID = 1L;

    private static final FleetDefaults DEFAULTS =
            FleetDefaults.ofNumberedRows(Duration.ofMillis(1), Duration.ofHours(12));
    private static final List<Column> COLUMNS = List.of(
            integer("c_id"),
            integer("c_d_id"),
            integer("c_w_id"),
            varchar("c_first", 16),
            character("c_middle", 2),
            varchar("c_last", 16),
            varchar("c_street_1", 20),
            varchar("c_street_2", 20),
            varchar("c_city", 20),
            character("c_state", 2),
            character("c_zip", 9),
            character("c_phone", 16),
            new Column("c_since", ColumnType.TIMESTAMP, "timestamp without time zone", true),
            character("c_credit", 2),
            numeric("c_credit_lim"),
            numeric("c_discount"),
            numeric("c_balance"),
            numeric("c_ytd_payment"),
            new Column("c_payment_cnt", ColumnType.FLOAT4, "real", true),
            new Column("c_delivery_cnt", ColumnType.FLOAT8, "double precision", true),
            varchar("c_data", 500));
    private static final int SINCE = 12;
    private static final TableDescription TABLE = new TableDescription(COLUMNS, SINCE, TableDescription.NONE);
    private static final List<Index> INDEXES = List.of(Index.parse("unique c_id"), Index.parse("c_d_id"));

    CustomerDataSet() {
        super("customer");
    }

    private static Column integer(String name) {
        return new Column(name, ColumnType.INT4, "integer", true);
    }

    private static Column varchar(String name, int length) {
        return new Column(name, ColumnType.VARCHAR, "character varying(" + length + ')', true);
    }

    private static Column character(String name, int length) {
        return new Column(name, ColumnType.CHAR, "character(" + length + ')', true);
    }

    private static Column numeric(String name) {
        return new Column(name, ColumnType.NUMERIC, "numeric(16,4)", true);
    }

    @Override
    public FleetDefaults defaults() {
        return DEFAULTS;
    }

    @Override
    public TableDescription table() {
        return TABLE;
    }

    @Override
    public List<Index> indexes() {
        return INDEXES;
    }

    @Override
    RowGenerator generator(FleetOptions fleet, int firstDevice, int devices) {
        return new CustomerRows(fleet, firstDevice);
    }

    @Override
    int bytesPerDevice() {
        return 0;
    }
}
