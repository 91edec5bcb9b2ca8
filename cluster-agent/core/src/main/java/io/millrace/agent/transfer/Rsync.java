package io.millrace.agent.transfer;

import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The words that all our rsync calls between two places share.
 *
 * <p>{@code -s} (protect-args, since 3.2.6 secluded-args) has meant the same since rsync 3.0: file names go through rsync's protocol and
 * never through the far side's shell. Devices, sockets and pipes are left out; symbolic links are copied as links. The times of folders
 * and links are left alone: users work in their folders while results arrive.
 */
final class Rsync {

    /** Where half-written files lie; never part of a tree, gone after a copy that ended well. */
    static final String ARRIVING = ".millrace-arriving";
    /** Where the beginning of an interrupted file waits to be continued. */
    static final String PARTIAL = ".millrace-partial";

    private static final Pattern HOST = Pattern.compile("[\\p{Alnum}_][\\p{Alnum}_.-]*|\\[?[0-9A-Fa-f:.]+\\]?");

    private Rsync() {}

    static List<String> words(final TransferSettings settings, final Duration silence, final String... special) {
        final List<String> words = new ArrayList<>(List.of(
                "rsync",
                "-s",
                "--archive",
                "--no-devices",
                "--no-specials",
                "--omit-dir-times",
                "--omit-link-times",
                "--exclude=/" + ARRIVING + "/",
                "--exclude=" + PARTIAL + "/",
                "--info=nonreg0",
                "--no-human-readable",
                "--timeout=" + Math.max(1, silence.toSeconds()),
                "-e",
                rsh(settings.ssh())));
        words.addAll(List.of(special));
        return words;
    }

    /** Adds the two trees: the contents of {@code from} into {@code to}. */
    static List<String> between(
            final TransferSettings settings, final Place from, final Place to, final List<String> words) {
        final List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--", source(settings, from), to.path() + "/"));
        return List.copyOf(all);
    }

    private static String source(final TransferSettings settings, final Place from) {
        final String host = from.host();
        if (host == null || host.equals(settings.dataHost())) {
            return from.path() + "/";
        }
        if (!isHost(host)) {
            throw new IllegalArgumentException("'" + host + "' is not the name of a host");
        }
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + from.path() + "/";
    }

    /** Whether it can stand in a command line as a host and nothing else: ssh would take a leading dash for an option. */
    static boolean isHost(final String text) {
        return HOST.matcher(text).matches();
    }

    /** rsync splits this at blanks itself; in single quotes a word may hold blanks, and a doubled quote stands for one. */
    private static String rsh(final List<String> ssh) {
        return ssh.stream()
                .map(word -> word.matches("[\\w./:=@%+,-]+") ? word : "'" + word.replace("'", "''") + "'")
                .collect(Collectors.joining(" "));
    }
}
