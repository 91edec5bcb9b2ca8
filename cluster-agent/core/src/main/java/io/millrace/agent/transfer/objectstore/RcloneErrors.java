package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.wlm.Answer;
import java.util.regex.Pattern;

/** Maps a failed call of rclone to trouble. Exit codes are those of rclone's documentation, "Exit code". */
final class RcloneErrors {

    private static final Pattern STAMP = Pattern.compile("\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d ");
    private static final Pattern CREDENTIALS = Pattern.compile(
            "AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|Unauthorized|Forbidden|\\b40[13]\\b"
                    + "|no authentication|invalid_grant|token expired",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern CONNECTION = Pattern.compile(
            "no such host|connection refused|connection reset|i/o timeout|deadline exceeded|no route to host"
                    + "|network is unreachable|TLS handshake|unexpected EOF");
    private static final Pattern CONFIGURATION =
            Pattern.compile("didn't find section in config file|failed to load config|couldn't decrypt|decrypt config"
                    + "|unknown backend|didn't find backend");

    private RcloneErrors() {}

    static <T> Answer<T> read(final ObjectStore store, final int exit, final String error) {
        final String text = STAMP.matcher(error).replaceAll("").strip();
        final String what =
                "object store '" + store.name() + "': " + (text.isEmpty() ? "rclone ended with code " + exit : text);
        final String remote = "'" + store.name().substring(0, store.name().indexOf(':')) + "' in " + store.config();
        if (exit == 127) {
            return Answer.trouble(Answer.Kind.REJECTED, what + "; install rclone on the host of the agent");
        }
        if (exit == 137 || exit == 143) {
            return Answer.trouble(Answer.Kind.STOPPED, what + "; rclone was stopped by a signal");
        }
        if (CONFIGURATION.matcher(text).find()) {
            return Answer.trouble(Answer.Kind.REJECTED, what + "; correct the remote " + remote);
        }
        if (CREDENTIALS.matcher(text).find()) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    what + "; the store refuses the credentials: correct the remote " + remote
                            + ", and give its account the right to list, read, write and delete objects");
        }
        if (CONNECTION.matcher(text).find()) {
            return Answer.trouble(
                    Answer.Kind.DOWN,
                    what + "; no connection: check the endpoint of the remote " + remote + " and the network");
        }
        return Answer.trouble(Answer.Kind.REJECTED, what);
    }
}
