package io.chunkroll.job.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class HostCheckTest {
    private final HostCheck check = new HostCheck("loader.example");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8099",
                "127.0.0.1:8099",
                "[::1]:8099",
                "[2001:db8::7]",
                "192.168.1.7",
                "loader.example:1",
                "Loader.Example"
            })
    void allowsAddressesAndItsOwnNames(String header) {
        assertThat(check.allows(header)).isTrue();
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8099",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "xloader.example",
                "localhost:8099:8099",
                "localhost:80@evil.example",
                "[evil.example]",
                "1.2.3"
            })
    void refusesOtherNames(String header) {
        assertThat(check.allows(header)).isFalse();
    }

    @Test
    void anyAddressIsNoNameOfItsOwn() {
        assertThat(new HostCheck("0.0.0.0").allows("loader.example:8099")).isFalse();
    }
}
