package io.chunkroll.job.tags;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class IdMapTest {
    private final IdMap map = new IdMap();

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private int get(String name) {
        byte[] bytes = utf8("<" + name + ">");
        return map.get(bytes, 1, bytes.length - 1);
    }

    @Test
    void everyHostKeepsItsIdWhileTheMapGrows() {
        for (int i = 1; i <= 100_000; i++) {
            map.put(utf8("host_" + i), i);
        }
        for (int i = 1; i <= 100_000; i++) {
            assertThat(get("host_" + i)).isEqualTo(i);
        }
        assertThat(get("host_0")).isEqualTo(IdMap.NONE);
        assertThat(get("host_100001")).isEqualTo(IdMap.NONE);
    }

    /** "Aa" and "BB" have the same hash, and so has whatever is made of them. */
    @Test
    void namesOfTheSameHashAndAwkwardNamesAreToldApart() {
        String[] names = {"AaAa", "AaBB", "BBAa", "BBBB", "", " ", "h\u00f6st", "x".repeat(10_000), "x".repeat(9_999)};
        for (int i = 0; i < names.length; i++) {
            map.put(utf8(names[i]), i + 1);
        }
        for (int i = 0; i < names.length; i++) {
            assertThat(get(names[i])).as(names[i]).isEqualTo(i + 1);
        }
        assertThat(get("Aa")).isEqualTo(IdMap.NONE);
    }
}
