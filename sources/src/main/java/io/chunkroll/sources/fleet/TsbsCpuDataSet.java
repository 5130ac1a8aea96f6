package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The cpu-only data of TSBS: hosts with tags, and ten whole percentages that walk at random. */
final class TsbsCpuDataSet extends DataSet {
    private static final long serialVersionUID = 1L;

    private static final FleetDefaults DEFAULTS = FleetDefaults.ofDevices(4_000, Duration.ofSeconds(10));

    private final TagPlace tags;
    private final TableDescription table;

    TsbsCpuDataSet(TagPlace tags) {
        super("tsbs-cpu");
        this.tags = tags;
        table = new TableDescription(columns(tags), 0, 1);
    }

    private static List<Column> columns(TagPlace tags) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("time", ColumnType.TIMESTAMPTZ, "timestamp with time zone", true));
        if (tags == TagPlace.TABLE) {
            columns.add(new Column("tags_id", ColumnType.INT4, "integer", false));
        } else {
            FleetTags.HOSTS.names().forEach(name -> columns.add(new Column(name, ColumnType.TEXT, "text", false)));
        }
        CpuDataSet.METRICS.forEach(name -> columns.add(new Column(name, ColumnType.FLOAT8, "double precision", false)));
        if (tags == TagPlace.TABLE) {
            columns.add(new Column("additional_tags", ColumnType.JSONB, "jsonb", false));
        }
        return columns;
    }

    @Override
    public String tableName() {
        return "cpu";
    }

    @Override
    public FleetDefaults defaults() {
        return DEFAULTS;
    }

    @Override
    public TableDescription table() {
        return table;
    }

    @Override
    public List<Index> indexes() {
        String host = tags == TagPlace.TABLE ? "tags_id" : "hostname";
        return List.of(Index.parse(host + ", time desc"), Index.parse("time desc"));
    }

    @Override
    public Optional<FleetTags> tags() {
        return tags == TagPlace.TABLE ? Optional.of(FleetTags.HOSTS) : Optional.empty();
    }

    @Override
    public List<FleetFileFormat> fileFormats() {
        return List.of(FleetFileFormat.TSBS, FleetFileFormat.CSV);
    }

    @Override
    RowGenerator generator(FleetOptions fleet, int firstDevice, int devices) {
        return new TsbsCpuRows(fleet, tags, firstDevice, devices);
    }

    @Override
    int bytesPerDevice() {
        return CpuDataSet.METRICS.size() * Character.BYTES;
    }

    @Override
    public String toString() {
        return name() + " (tags " + tags.name().toLowerCase(Locale.ROOT) + ')';
    }
}
