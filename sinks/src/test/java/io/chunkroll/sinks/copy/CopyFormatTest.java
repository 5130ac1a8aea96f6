package io.chunkroll.sinks.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.TupleWriter;
import java.io.ByteArrayOutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.copy.CopyIn;
import org.postgresql.util.ByteStreamWriter;

class CopyFormatTest {

    /** Keeps what is sent. */
    private static final class Sent implements CopyIn {
        private final List<byte[]> messages = new ArrayList<>();

        private byte[] all() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            messages.forEach(all::writeBytes);
            return all.toByteArray();
        }

        @Override
        public void writeToCopy(byte[] buffer, int offset, int length) {
            messages.add(java.util.Arrays.copyOfRange(buffer, offset, offset + length));
        }

        @Override
        public void writeToCopy(ByteStreamWriter from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void flushCopy() {}

        @Override
        public long endCopy() {
            return 0;
        }

        @Override
        public int getFieldCount() {
            return 0;
        }

        @Override
        public int getFormat() {
            return 0;
        }

        @Override
        public int getFieldFormat(int field) {
            return 0;
        }

        @Override
        public boolean isActive() {
            return true;
        }

        @Override
        public void cancelCopy() {}

        @Override
        public long getHandledRowCount() {
            return 0;
        }
    }

    private static Batch batch(int columns, String... fields) {
        List<Column> description = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            description.add(new Column("c" + i, ColumnType.OTHER, "text", false));
        }
        TupleWriter writer = new TupleWriter(new TableDescription(description, -1, -1));
        Batch batch = new Batch();
        for (int i = 0; i < fields.length; ) {
            writer.begin();
            for (int c = 0; c < columns; c++, i++) {
                if (fields[i] == null) {
                    writer.putNull();
                } else {
                    writer.putText(fields[i]);
                }
            }
            batch.add(writer.end());
        }
        return batch;
    }

    private static String text(int columns, String... fields) throws SQLException {
        Batch batch = batch(columns, fields);
        Sent sent = new Sent();
        new CopyFormat.Text().write(batch, batch.arrival(), 0, batch.rows(), sent);
        return new String(sent.all(), UTF_8);
    }

    @Test
    void fieldsAreApartByTabsAndRowsByNewlines() throws SQLException {
        assertThat(text(2, "a", "b", "c", "d")).isEqualTo("a\tb\nc\td\n");
    }

    @Test
    void nullIsNotTheEmptyTextNorTheTextOfItsMark() throws SQLException {
        assertThat(text(3, null, "", "\\N")).isEqualTo("\\N\t\t\\\\N\n");
        assertThat(text(1, "", null)).isEqualTo("\n\\N\n");
    }

    @Test
    void whatMeansSomethingToCopyIsEscaped() throws SQLException {
        assertThat(text(1, "\ta\nb\rc\\d\t")).isEqualTo("\\ta\\nb\\rc\\\\d\\t\n");
        assertThat(text(1, "\\.")).isEqualTo("\\\\.\n");
        assertThat(text(1, "zürich 😀")).isEqualTo("zürich 😀\n");
    }

    @Test
    void binaryHasItsHeaderAndTrailer() throws SQLException {
        Sent sent = new Sent();
        Batch batch = batch(1, "x");
        CopyFormat format = new CopyFormat.Binary();
        format.write(batch, batch.arrival(), 0, batch.rows(), sent);
        assertThat(sent.all()).startsWith("PGCOPY\n".getBytes(UTF_8)).endsWith(-1, -1);
        assertThat(sent.all()).hasSize(19 + 2 + 4 + 1 + 2);
    }

    @Test
    void messagesAreNeitherTinyNorHuge() throws SQLException {
        String[] fields = new String[20_000];
        java.util.Arrays.fill(fields, "0123456789");
        Sent sent = new Sent();
        Batch batch = batch(1, fields);
        CopyFormat format = new CopyFormat.Text();
        format.write(batch, batch.arrival(), 0, batch.rows(), sent);
        assertThat(sent.messages).hasSizeBetween(3, 4);
        assertThat(sent.all()).hasSize(220_000);
    }

    @Test
    void aLargeFieldGoesWhole() throws SQLException {
        String large = "x\n".repeat(3_000_000);
        assertThat(text(1, large, "y")).hasSize(9_000_000 + 1 + 2);
    }
}
