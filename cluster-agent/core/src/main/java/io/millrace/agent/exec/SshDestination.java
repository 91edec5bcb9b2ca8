package io.millrace.agent.exec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ssh destination with the forced command {@code millrace-remote}; see deploy/agent/README.md.
 *
 * @param host {@code host} or {@code account@host}
 * @param config configuration file (option {@code -F} of ssh) with the key, the port and the known hosts; null: the default files of ssh
 */
public record SshDestination(String host, @Nullable Path config) {

    private static final Pattern HOST =
            Pattern.compile("([\\p{Alnum}_][\\p{Alnum}_.-]*@)?[\\p{Alnum}_][\\p{Alnum}_.:-]*");

    /** ssh gives {@code %} and quotes in file names a special meaning. */
    private static final Pattern PLAIN_PATH = Pattern.compile("/[^%\"\\\\\\s\\p{Cntrl}]*");

    public SshDestination {
        if (!HOST.matcher(host).matches()) {
            throw new IllegalArgumentException("'" + host + "' is not a valid ssh destination; use HOST or USER@HOST");
        }
        if (config != null && !PLAIN_PATH.matcher(config.toString()).matches()) {
            throw new IllegalArgumentException(
                    "cannot pass '" + config + "' to ssh; use an absolute path without blanks, quotes and %");
        }
    }

    /** The account to log in to; empty if it is not specified. */
    public Optional<String> account() {
        final int at = host.indexOf('@');
        return at < 0 ? Optional.empty() : Optional.of(host.substring(0, at));
    }

    /** The ssh command line, without a command: the key determines what runs on the host. */
    List<String> words() {
        final List<String> words = new ArrayList<>(List.of("ssh", "-T"));
        if (config != null) {
            words.addAll(List.of("-F", config.toString()));
        }
        words.addAll(List.of(
                "-o", "BatchMode=yes",
                "-o", "StrictHostKeyChecking=yes",
                "-o", "ConnectTimeout=8",
                "-o", "ServerAliveInterval=5",
                "-o", "ServerAliveCountMax=3",
                "-o", "ClearAllForwardings=yes"));
        words.addAll(List.of("--", host));
        return List.copyOf(words);
    }
}
