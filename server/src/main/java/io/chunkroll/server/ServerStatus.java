package io.chunkroll.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of the user's shared server. What does not apply, because it is not running or runs in a container, is empty.
 *
 * @param url for JDBC; the password is in {@code passwordFile}
 * @param keepsRunning whether it was started to stay, whoever uses it
 * @param postgresVersion such as 17.6
 * @param bytes size of the data folder
 * @param users numbers of the processes that have joined it
 */
public record ServerStatus(
        boolean running,
        boolean keepsRunning,
        Optional<String> url,
        Optional<String> postgresVersion,
        Optional<String> timescaleVersion,
        Path dataFolder,
        Path passwordFile,
        OptionalLong bytes,
        OptionalLong pid,
        Optional<Duration> uptime,
        List<Long> users) {}
