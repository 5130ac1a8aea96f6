package io.chunkroll.testing;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.rpc.AddressResolution;
import org.apache.flink.runtime.rpc.RpcSystem;
import org.apache.flink.runtime.rpc.RpcSystemLoader;
import org.apache.flink.runtime.rpc.pekko.PekkoRpcSystemLoader;

/**
 * Flink's RPC system, loaded once for all clusters of a JVM. Flink itself unpacks a jar of 30 MB for each cluster and loads some thousand
 * classes from it anew, which costs a short job more time than all else. Flink finds this class as a service.
 */
public final class SharedRpcSystem implements RpcSystemLoader {
    /** Before Flink's own, whose priority is 0. */
    private static final int FIRST = -1;

    /** Loaded when it is first touched. */
    private static final class Loaded {
        static final RpcSystem INSTANCE = new PekkoRpcSystemLoader().loadRpcSystem(new Configuration());

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(INSTANCE::close, "rpc-system-close"));
        }
    }

    @Override
    public int getLoadPriority() {
        return FIRST;
    }

    @Override
    public RpcSystem loadRpcSystem(Configuration configuration) {
        return new Shared(Loaded.INSTANCE);
    }

    /** A cluster's, whose end does not end it for others. */
    private record Shared(RpcSystem system) implements RpcSystem {
        @Override
        public RpcServiceBuilder localServiceBuilder(Configuration configuration) {
            return system.localServiceBuilder(configuration);
        }

        @Override
        public RpcServiceBuilder remoteServiceBuilder(Configuration configuration, String address, String ports) {
            return system.remoteServiceBuilder(configuration, address, ports);
        }

        @Override
        public String getRpcUrl(
                String host, int port, String endpoint, AddressResolution resolution, Configuration configuration)
                throws UnknownHostException {
            return system.getRpcUrl(host, port, endpoint, resolution, configuration);
        }

        @Override
        public InetSocketAddress getInetSocketAddressFromRpcUrl(String url) throws Exception {
            return system.getInetSocketAddressFromRpcUrl(url);
        }

        @Override
        public long getMaximumMessageSizeInBytes(Configuration configuration) {
            return system.getMaximumMessageSizeInBytes(configuration);
        }
    }
}
