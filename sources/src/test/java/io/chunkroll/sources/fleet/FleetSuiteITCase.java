package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.sources.suite.LateSource;
import io.chunkroll.sources.suite.SourceSuite;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.testframe.external.ExternalSystemSplitDataWriter;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.external.source.TestingSourceSettings;

class FleetSuiteITCase extends SourceSuite {

    FleetSuiteITCase() {
        super(test -> new Devices());
    }

    /**
     * A fleet of which each device is one of the suite's splits.
     *
     * <p>The suite wants endless sources to wait for what it will write, which generated rows never need: such a fleet is held back after
     * the steps that have been written.
     */
    private static final class Devices implements DataStreamSourceExternalContext<Tuple> {
        private static final int STEPS = 500;

        private final Map<Integer, Integer> rounds = new HashMap<>();
        private int devices;

        Devices() {
            HeldFleet.holdAfter(0);
        }

        @Override
        public Source<Tuple, ?, ?> createSource(TestingSourceSettings settings) {
            return new LateSource<>(
                    settings.getBoundedness(),
                    () -> settings.getBoundedness() == Boundedness.BOUNDED
                            ? new FleetSource(Fleets.cpu((long) devices * STEPS, devices))
                            : new HeldFleet(Fleets.cpu(0, devices)));
        }

        @Override
        public List<Tuple> generateTestData(TestingSourceSettings settings, int device, long seed) {
            int round = rounds.merge(device, 1, Integer::sum);
            FleetOptions fleet = Fleets.cpu(0, device + 1);
            RowGenerator generator = fleet.dataset().generator(fleet, device, 1);
            TupleFields fields = TupleFields.of(fleet.dataset().table());
            List<Tuple> rows = new ArrayList<>();
            for (int step = 0; step < round * STEPS; step++) {
                generator.write(0, step, fields);
                rows.add(fields.tuple().copy());
            }
            return rows.subList((round - 1) * STEPS, round * STEPS);
        }

        /** Each is a device of its own. */
        @Override
        public ExternalSystemSplitDataWriter<Tuple> createSourceSplitDataWriter(TestingSourceSettings settings) {
            devices++;
            return new ExternalSystemSplitDataWriter<>() {
                private int written;

                @Override
                public void writeRecords(List<Tuple> records) {
                    written += records.size();
                    HeldFleet.holdAfter(written);
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
        public void close() {}
    }
}
