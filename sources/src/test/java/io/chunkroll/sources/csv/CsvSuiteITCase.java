package io.chunkroll.sources.csv;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sources.suite.LateSource;
import io.chunkroll.sources.suite.SourceSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.testframe.external.ExternalSystemSplitDataWriter;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.external.source.TestingSourceSettings;

class CsvSuiteITCase extends SourceSuite {

    CsvSuiteITCase() {
        super(test -> new OneFile());
    }

    /**
     * A file of which each of the suite's splits is a piece of its own: rows are of one length, so that pieces begin and end with a row.
     *
     * <p>A file has an end, and the suite wants sources that have none and get more data later. To these the file is one that is written
     * slowly: whoever reads it waits at the end of what has been written, and it never becomes complete.
     */
    private static final class OneFile implements DataStreamSourceExternalContext<Tuple> {
        private static final int ROWS_A_PIECE = 512;
        private static final int PIECE_BYTES = ROWS_A_PIECE * row(0).length();
        /** Two rounds of four splits, and two that nobody writes: readers never see the end. */
        private static final int PIECES_OF_ENDLESS = 10;
        /** So far a reader looks beyond the end of its piece before it gives out a row. */
        private static final int LOOK_AHEAD = 32 * 1024;

        private final TupleWriter tuples = new TupleWriter(CsvReading.TABLE);
        private final Path file;
        private int generated;
        private int written;

        OneFile() {
            try {
                file = Files.createTempFile("suite", ".csv");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            GatedFileSystem.closeGateAt(0);
        }

        @Override
        public Source<Tuple, ?, ?> createSource(TestingSourceSettings settings) {
            return new LateSource<>(settings.getBoundedness(), () -> plan(settings.getBoundedness()));
        }

        private FileSource<Tuple> plan(Boundedness boundedness) {
            boolean ends = boundedness == Boundedness.BOUNDED;
            String text = IntStream.range(0, (ends ? written : PIECES_OF_ENDLESS) * ROWS_A_PIECE)
                    .mapToObj(OneFile::row)
                    .collect(Collectors.joining());
            CsvReading.write(file, text);
            if (ends) {
                GatedFileSystem.openGate();
            }
            CsvOptions options = CsvOptions.of(GatedFileSystem.SCHEME + "://" + file)
                    .withQuotedNewlines(CsvOptions.QuotedNewlines.NO);
            return CsvSource.plan(options, CsvReading.TABLE, PIECE_BYTES).source();
        }

        private static String row(int id) {
            return String.format(Locale.ROOT, "%07d,name %040d,\n", id, id);
        }

        @Override
        public List<Tuple> generateTestData(TestingSourceSettings settings, int split, long seed) {
            int piece = generated++;
            return IntStream.range(piece * ROWS_A_PIECE, (piece + 1) * ROWS_A_PIECE)
                    .mapToObj(this::tuple)
                    .toList();
        }

        private Tuple tuple(int id) {
            tuples.begin();
            tuples.putInt8(id);
            tuples.putText(String.format(Locale.ROOT, "name %040d", id));
            tuples.putNull();
            return tuples.end().copy();
        }

        @Override
        public ExternalSystemSplitDataWriter<Tuple> createSourceSplitDataWriter(TestingSourceSettings settings) {
            return new ExternalSystemSplitDataWriter<>() {
                @Override
                public void writeRecords(List<Tuple> records) {
                    written++;
                    GatedFileSystem.closeGateAt((long) written * PIECE_BYTES + LOOK_AHEAD);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public TypeInformation<Tuple> getProducedType() {
            return TupleTypeInfo.INSTANCE;
        }

        @Override
        public List<URL> getConnectorJarPaths() {
            return List.of();
        }

        @Override
        public void close() throws IOException {
            GatedFileSystem.openGate();
            Files.delete(file);
        }
    }
}
