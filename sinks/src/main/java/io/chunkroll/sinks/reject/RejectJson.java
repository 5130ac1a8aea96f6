package io.chunkroll.sinks.reject;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Writes a reject as a line of JSON: file, offset, line, column, reason and the row as it came, in Base64 where it is no valid UTF-8. What
 * is not known is null.
 */
final class RejectJson {
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private RejectJson() {}

    static void write(Reject reject, OutputStream out) throws IOException {
        Origin origin = reject.origin();
        boolean ofFile = !origin.file().isEmpty();
        try (JsonGenerator line = JSON.createGenerator(out)) {
            line.writeStartObject();
            line.writeStringField("file", ofFile ? origin.file() : null);
            number(line, "offset", origin.offset(), ofFile);
            number(line, "line", origin.line(), origin.line() > 0);
            line.writeStringField("column", reject.column().isEmpty() ? null : reject.column());
            line.writeStringField("reason", reject.reason());
            row(line, origin.row());
            line.writeEndObject();
        }
        out.write('\n');
    }

    private static void number(JsonGenerator line, String field, long value, boolean known) throws IOException {
        line.writeFieldName(field);
        if (known) {
            line.writeNumber(value);
        } else {
            line.writeNull();
        }
    }

    private static void row(JsonGenerator line, byte[] row) throws IOException {
        try {
            line.writeStringField(
                    "row",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(row))
                            .toString());
        } catch (CharacterCodingException e) {
            line.writeBinaryField("row_base64", row);
        }
    }
}
