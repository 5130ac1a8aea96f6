package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats that the settings name. */
class TimeFormatTest {

    private static Instant instant(String format, String zone, String text) throws BadValueException {
        long micros = Rows.encode(
                        new RowEncoder(
                                Rows.table(ColumnType.TIMESTAMPTZ).withRoles(0, -1),
                                new ParseOptions(ZoneId.of(zone), format)),
                        text)
                .time();
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @ParameterizedTest
    @CsvSource({
        "epoch-s,  1451779200,          2016-01-03T00:00:00Z",
        "epoch-s,  ' 1451779200.5 ',    2016-01-03T00:00:00.5Z",
        "epoch-s,  -1,                  1969-12-31T23:59:59Z",
        "epoch-s,  1.451779200e9,       2016-01-03T00:00:00Z",
        "epoch-s,  1e-1000000000,       1970-01-01T00:00:00Z",
        "epoch-ms, 1451779200001,       2016-01-03T00:00:00.001Z",
        "epoch-us, 1451779200000001,    2016-01-03T00:00:00.000001Z",
        "epoch-ns, 1451779200000001999, 2016-01-03T00:00:00.000002Z",
        "epoch-ns, 0,                   1970-01-01T00:00:00Z",
    })
    @Timeout(20)
    void countsFromTheEpoch(String format, String text, Instant expected) throws BadValueException {
        assertThat(instant(format, "Europe/Berlin", text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "1,5", "1451779200s", "0x10"})
    void whatIsNoNumberIsNoEpoch(String text) {
        assertThatThrownBy(() -> instant("epoch-s", "UTC", text))
                .isInstanceOf(BadValueException.class)
                .hasMessageContaining("source.csv.time-format");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "1e30", "1e1000000000", "-1e15", "-9999999999999999999"})
    @Timeout(20)
    void epochsOutOfRangeAreRefused(String text) {
        assertThatThrownBy(() -> instant("epoch-s", "UTC", text))
                .isInstanceOf(BadValueException.class)
                .hasMessageContaining("out of range");
    }

    @ParameterizedTest
    @CsvSource({
        "dd.MM.yyyy HH:mm,        UTC,           03.01.2016 12:30,            2016-01-03T12:30:00Z",
        "dd.MM.yyyy HH:mm,        Europe/Berlin, 03.01.2016 12:30,            2016-01-03T11:30:00Z",
        "dd.MM.yyyy HH:mm,        Europe/Berlin, 27.03.2016 02:30,            2016-03-27T01:30:00Z",
        "dd.MM.yyyy HH:mm,        Europe/Berlin, 30.10.2016 02:30,            2016-10-30T01:30:00Z",
        "dd.MM.yyyy,              Europe/Berlin, 03.07.2016,                  2016-07-02T22:00:00Z",
        "dd/MMM/yyyy:HH:mm:ss Z,  Europe/Berlin, 03/Jan/2016:12:30:00 -0500,  2016-01-03T17:30:00Z",
        "yyyy-MM-dd HH:mm:ss VV,  UTC,           2016-01-03 12:30:00 Asia/Tokyo, 2016-01-03T03:30:00Z",
        "yyyyMMddHHmmss.SSSSSSSSS,UTC,           20160103123000.123456789,    2016-01-03T12:30:00.123456Z",
    })
    void patternsAreJavas(String format, String zone, String text, Instant expected) throws BadValueException {
        assertThat(instant(format, zone, text)).isEqualTo(expected);
    }

    @Test
    void aTextThatDoesNotFollowThePatternIsRefused() {
        assertThatThrownBy(() -> instant("dd.MM.yyyy", "UTC", "2016-01-03"))
                .isInstanceOf(BadValueException.class)
                .hasMessageContaining("\"2016-01-03\"")
                .hasMessageContaining("dd.MM.yyyy");
    }

    /** In a load as text the server must not depend on a format or a zone that only the settings tell. */
    @ParameterizedTest
    @CsvSource({
        "auto,    UTC,           TIMESTAMPTZ, 2016-07-03 12:30,         2016-07-03 12:30:00.000000+00",
        "auto,    Europe/Berlin, TIMESTAMPTZ, 2016-07-03 12:30,         2016-07-03 10:30:00.000000+00",
        "auto,    Europe/Berlin, TIMESTAMPTZ, 12345-07-03 12:30,        12345-07-03 10:30:00.000000+00",
        "auto,    Europe/Berlin, TIMESTAMPTZ, 0044-03-15 12:00+00 BC,   0044-03-15 12:00:00.000000+00 BC",
        "auto,    Europe/Berlin, TIMESTAMPTZ, infinity,                 infinity",
        "auto,    Europe/Berlin, TIMESTAMP,   2016-07-03 24:00,         2016-07-03 24:00",
        "auto,    Europe/Berlin, DATE,        5874897-12-31,            5874897-12-31",
        "auto,    UTC,           DATE,        5874897-12-31,            5874897-12-31",
        "epoch-s, UTC,           TIMESTAMPTZ, 1451779200,               2016-01-03 00:00:00.000000+00",
        "epoch-s, UTC,           DATE,        1451779200,               2016-01-03",
        "epoch-s, UTC,           DATE,        9000000000000,            287168-08-24",
        "epoch-s, UTC,           DATE,        -99999999999,             1200-02-15 BC",
        "epoch-s, UTC,           TIMESTAMP,   1451779200.000001,        2016-01-03 00:00:00.000001",
    })
    void asTextTimesGoInIso(String format, String zone, ColumnType type, String text, String sent)
            throws BadValueException {
        Tuple row = Rows.encode(
                new RowEncoder(
                        Rows.table(type, ColumnType.OTHER).withRoles(0, -1), new ParseOptions(ZoneId.of(zone), format)),
                text,
                "{}");
        assertThat(new String(Rows.fields(row).get(0), StandardCharsets.UTF_8)).isEqualTo(sent);
        assertThat(row.time()).isNotEqualTo(Tuple.NO_TIME);
    }

    @Test
    void theTextThatCameLastIsNotTakenForAnother() throws BadValueException {
        RowEncoder encoder = new RowEncoder(Rows.table(ColumnType.TIMESTAMPTZ).withRoles(0, -1), ParseOptions.DEFAULT);
        assertThat(Rows.encode(encoder, "2016-01-03").time()).isEqualTo(1_451_779_200_000_000L);
        assertThatThrownBy(() -> Rows.encode(encoder, "2016-01-0x")).isInstanceOf(BadValueException.class);
        assertThatThrownBy(() -> Rows.encode(encoder, "")).isInstanceOf(BadValueException.class);
        assertThat(Rows.encode(encoder, "2016-01-03").time()).isEqualTo(1_451_779_200_000_000L);
        assertThat(Rows.encode(encoder, "2016-01-04").time()).isEqualTo(1_451_865_600_000_000L);
        assertThat(Rows.encode(encoder, "2016-01-03").time()).isEqualTo(1_451_779_200_000_000L);
    }
}
