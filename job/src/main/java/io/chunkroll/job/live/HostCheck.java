package io.chunkroll.job.live;

import java.util.regex.Pattern;

/**
 * Whether a request names a host under which the page is served. A page of somebody else's in the reader's browser could give its own name
 * this machine's address and so read what is served here; but its name would then stand in the request. A bare address cannot be so given
 * away, and is always right.
 *
 * @param asked the host of the setting
 */
record HostCheck(String asked) {
    private static final Pattern PORT = Pattern.compile(":\\d*$");
    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9A-Fa-f:.]+]");

    /** @param header the request's Host, which may be missing */
    boolean allows(String header) {
        if (header == null) {
            return false;
        }
        String host = PORT.matcher(header.strip()).replaceFirst("");
        return host.equalsIgnoreCase("localhost")
                || host.equalsIgnoreCase(asked)
                || ADDRESS.matcher(host).matches();
    }
}
