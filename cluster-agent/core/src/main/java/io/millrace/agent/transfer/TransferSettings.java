package io.millrace.agent.transfer;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of copies to this cluster.
 *
 * @param stagingRoot absolute path of the folder that contains {@code <owner>/<attempt>} for jobs from other clusters; either an
 *     administrator creates {@code <owner>} for each owner, or owners can create it themselves (mode 1777)
 * @param dataHost host name under which other clusters reach the files of this cluster; null: none
 * @param ssh the command that connects to another host, as a list of arguments
 * @param stall a copy that transfers no byte for this time is stopped; whole seconds
 * @param silence how long a comparison may run without output: at least the time to read the largest file once
 * @param longest time limit of a copy
 * @param cache_bytes size of the cache of each owner; 0: no cache
 */
public record TransferSettings(
        String stagingRoot,
        @Nullable String dataHost,
        List<String> ssh,
        Duration stall,
        Duration silence,
        Duration longest,
        long cache_bytes) {

    private static final long CACHE_BYTES = 10L << 30;

    /** Does not prompt for a password, and detects a dead connection within a minute. */
    public static final List<String> SSH = List.of(
            "ssh",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=15",
            "-o",
            "ServerAliveInterval=15",
            "-o",
            "ServerAliveCountMax=4");

    public TransferSettings {
        if (!stagingRoot.startsWith("/")) {
            throw new IllegalArgumentException("the staging root must be an absolute path, not '" + stagingRoot + "'");
        }
        while (stagingRoot.length() > 1 && stagingRoot.endsWith("/")) {
            stagingRoot = stagingRoot.substring(0, stagingRoot.length() - 1);
        }
        ssh = List.copyOf(ssh);
    }

    /** Default values for most clusters: 5 minutes without progress, 2 hours for the checksum of one file, 7 days per copy, 10 GiB of
     * cache for each owner. */
    public static TransferSettings of(final String stagingRoot, final @Nullable String dataHost) {
        return new TransferSettings(
                stagingRoot,
                dataHost,
                SSH,
                Duration.ofMinutes(5),
                Duration.ofHours(2),
                Duration.ofDays(7),
                CACHE_BYTES);
    }
}
