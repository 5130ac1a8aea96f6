package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The tags of the hosts, fixed for each by the seed: where it stands, what runs on it, and whose it is. The values are those that TSBS
 * draws from.
 *
 * <p>A host's row in a table of tags has the {@code id} {@link #id(int)}, to which rows refer.
 */
public final class FleetTags {
    static final FleetTags HOSTS = new FleetTags();

    private static final List<String> NAMES = List.of(
            "hostname",
            "region",
            "datacenter",
            "rack",
            "os",
            "arch",
            "team",
            "service",
            "service_version",
            "service_environment");

    /** A region, and the letters of its datacenters. */
    private static final String[][] REGIONS = {
        {"us-east-1", "a", "b", "c", "e"},
        {"us-west-1", "a", "b"},
        {"us-west-2", "a", "b", "c"},
        {"eu-west-1", "a", "b", "c"},
        {"eu-central-1", "a", "b"},
        {"ap-southeast-1", "a", "b"},
        {"ap-southeast-2", "a", "b"},
        {"ap-northeast-1", "a", "c"},
        {"sa-east-1", "a", "b", "c"}
    };

    private static final byte[][] REGION =
            utf8(Stream.of(REGIONS).map(region -> region[0]).toList());
    private static final byte[][][] DATACENTERS = Stream.of(REGIONS)
            .map(region ->
                    utf8(Stream.of(region).skip(1).map(zone -> region[0] + zone).toList()))
            .toArray(byte[][][]::new);
    /** The choices of each tag that depends on no other, in the order of the names. */
    private static final byte[][][] CHOICES = {
        numbers(100),
        utf8(List.of("Ubuntu16.10", "Ubuntu16.04LTS", "Ubuntu15.10")),
        utf8(List.of("x64", "x86")),
        utf8(List.of("SF", "NYC", "LON", "CHI")),
        numbers(20),
        numbers(2),
        utf8(List.of("production", "staging", "test"))
    };

    /** Tags come from other words than values. */
    private static final long SALT = 0x7461677354616773L;

    private static final byte[] PREFIX = "host_".getBytes(StandardCharsets.US_ASCII);

    private FleetTags() {}

    private static byte[][] utf8(List<String> texts) {
        return texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    }

    private static byte[][] numbers(int count) {
        return utf8(IntStream.range(0, count).mapToObj(Integer::toString).toList());
    }

    /** The tags' names, which are also the columns of a table of tags, behind its {@code id}. */
    public List<String> names() {
        return NAMES;
    }

    /** What a row of this device, counted from 0, has as {@code tags_id}. */
    public static int id(int device) {
        return device + 1;
    }

    /** The values of a device's tags, counted from 0, in the order of the names. */
    public List<String> values(long seed, int device) {
        byte[][] found = room();
        int hostLength = find(seed, device, found);
        List<String> values = new ArrayList<>(found.length);
        values.add(new String(found[0], 0, hostLength, StandardCharsets.UTF_8));
        for (int i = 1; i < found.length; i++) {
            values.add(new String(found[i], StandardCharsets.UTF_8));
        }
        return values;
    }

    /** Room for the tags of a device, for {@link #find}. */
    static byte[][] room() {
        byte[][] room = new byte[NAMES.size()][];
        room[0] = new byte[hostLength(Integer.MAX_VALUE)];
        return room;
    }

    /** Finds the values of a device's tags, in UTF-8, each as long as its array but for the first, whose length is returned. */
    static int find(long seed, int device, byte[][] room) {
        long rest = Randomness.word(Randomness.key(seed ^ SALT, device), 0) >>> 1;
        int region = (int) (rest % REGION.length);
        rest /= REGION.length;
        byte[][] datacenters = DATACENTERS[region];
        room[1] = REGION[region];
        room[2] = datacenters[(int) (rest % datacenters.length)];
        rest /= datacenters.length;
        for (int i = 0; i < CHOICES.length; i++) {
            byte[][] choices = CHOICES[i];
            room[3 + i] = choices[(int) (rest % choices.length)];
            rest /= choices.length;
        }
        return nameHost(room[0], device);
    }

    /** Writes the host's name from the start of the array and returns its length. */
    static int nameHost(byte[] name, int device) {
        System.arraycopy(PREFIX, 0, name, 0, PREFIX.length);
        int length = hostLength(device);
        Decimals.put(name, length, device);
        return length;
    }

    private static int hostLength(int device) {
        return PREFIX.length + Decimals.digits(device);
    }
}
