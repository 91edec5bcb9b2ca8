package io.millrace.agent.transfer;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How this agent copies.
 *
 * @param stagingRoot absolute path of the folder that holds {@code <owner>/<attempt>} for jobs that come from elsewhere; either
 *     {@code <owner>} is made for each owner before, or owners can make it themselves (mode 1777)
 * @param dataHost the name under which other clusters reach this one's files; null if it has none
 * @param ssh the command that reaches another host, word by word
 * @param stall a copy in which no byte moves for so long is given up; a whole number of seconds
 * @param silence how long a comparison may compute without a word: at least the time to read the largest file once
 * @param longest after this time a copy is ended in any case
 * @param bandwidth_kib_s limit of one copy in KiB/s, 0 for none
 */
public record TransferSettings(
        String stagingRoot,
        @Nullable String dataHost,
        List<String> ssh,
        Duration stall,
        Duration silence,
        Duration longest,
        int bandwidth_kib_s) {

    /** Never asks for a password; notices a dead connection within a minute. */
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

    /** The values that suit most clusters: 5 minutes without a byte, 2 hours for one file's checksum, a week in all. */
    public static TransferSettings of(final String stagingRoot, final @Nullable String dataHost) {
        return new TransferSettings(
                stagingRoot, dataHost, SSH, Duration.ofMinutes(5), Duration.ofHours(2), Duration.ofDays(7), 0);
    }
}
