package io.chunkroll.job.cli;

import io.chunkroll.job.live.LivePage;
import io.chunkroll.job.live.LiveRuns;
import io.chunkroll.job.run.Onlooker;
import io.chunkroll.job.settings.AllSettings;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The page of a command's runs, served until the command is done; nothing where none was asked for.
 *
 * @param onlooker whom the runs are to tell
 */
record Live(Onlooker onlooker, Optional<LivePage> page) implements AutoCloseable {

    /** Serves from now on, and says where. */
    static Live open(Optional<InetSocketAddress> address, PrintStream out) {
        if (address.isEmpty()) {
            return new Live(Onlooker.NOBODY, Optional.empty());
        }
        LiveRuns runs = new LiveRuns();
        LivePage page = LivePage.open(address.get(), runs);
        out.println("Live: " + page.url());
        if (page.isOpenToOthers()) {
            out.println("Warning: whoever reaches " + address.get().getHostString()
                    + " over the network sees this page, which"
                    + " asks for no password; --live with a port alone (" + AllSettings.LIVE.key()
                    + ") serves it to this machine only");
        }
        return new Live(runs, Optional.of(page));
    }

    @Override
    public void close() {
        page.ifPresent(LivePage::close);
    }
}
