package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetSerializersTest {
    private static final FleetSplit SPLIT = new FleetSplit(-7, 3, 1_000, 250, 1L << 40, 249);

    @Test
    void aSplitIsSmallAndComesBack() throws IOException {
        FleetSplitSerializer serializer = new FleetSplitSerializer();
        byte[] bytes = serializer.serialize(SPLIT);
        assertThat(bytes).hasSize(32);
        assertThat(serializer.deserialize(1, bytes)).isEqualTo(SPLIT);
        assertThat(SPLIT.splitId()).isEqualTo("devices-1000-to-1249");
    }

    @Test
    void pendingSplitsComeBack() throws IOException {
        PendingSplitsSerializer serializer = new PendingSplitsSerializer();
        for (PendingSplits pending : List.of(new PendingSplits(List.of()), new PendingSplits(List.of(SPLIT, SPLIT)))) {
            assertThat(serializer.deserialize(1, serializer.serialize(pending))).isEqualTo(pending);
        }
    }

    @Test
    void otherFormatsAreRefused() {
        assertThatThrownBy(() -> new FleetSplitSerializer().deserialize(2, new byte[32]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("format 2");
        assertThatThrownBy(() -> new FleetSplitSerializer().deserialize(1, new byte[31]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("31 bytes");
        assertThatThrownBy(() -> new PendingSplitsSerializer().deserialize(1, new byte[] {0, 0, 0, 1}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cut off");
    }
}
