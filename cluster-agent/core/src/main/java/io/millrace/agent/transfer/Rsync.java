package io.millrace.agent.transfer;

import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.transfer.FilterRule;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The arguments common to all rsync calls between two folders.
 *
 * <p>{@code -s} (protect-args, since 3.2.6 secluded-args) has had the same meaning since rsync 3.0: file names are sent in rsync's protocol
 * and never pass through the remote shell. Devices, sockets and pipes are not copied; symbolic links are copied as links, and hard links
 * within the tree stay hard links. No file arrives with a set-user-id, set-group-id or sticky bit. The times of folders and links are not set, because users work in their folders while results arrive.
 */
final class Rsync {

    /** Folder of the files that copies into a tree are writing. It is never part of the tree. */
    static final String ARRIVING = ".millrace-arriving";
    /** Folder of partial files, from which an interrupted copy resumes. */
    static final String PARTIAL = ".millrace-partial";

    /** Kind of update, checksum if rsync computed one, size in bytes and name: {@code >f+++++++++ CHECKSUM/SIZE/NAME}. */
    static final String ITEMS = "--out-format=%i %C/%l/%n";

    /**
     * A function that succeeds if no folder of a relative name is a link. A list of files may come from another host: a name must not lead out
     * of the tree through a link that has arrived before.
     */
    static final String INSIDE = """
        inside() {
            local at=$1
            while [[ $at == */* ]]; do
                at=${at%/*}
                [[ ! -L $at ]] || return 1
            done
        }
        """;

    /**
     * An empty file in a staging folder: its time is that of the end of the upload. Files that are older were not written by the job. It never
     * leaves the staging folder.
     */
    static final String UPLOADED = ".millrace-uploaded";

    /**
     * Files of single runs, such as {@code .millrace-17.starts}, and the versions of {@link KeepBoth}: of no use to another job, or on another
     * cluster.
     */
    private static final List<String> OF_A_RUN = List.of("*.millrace-[0-9]*", "*.millrace-kept-*");

    /** File in any folder of the source with rsync's filter rules for that folder (rsync(1), "FILTER RULES IN DEPTH"). */
    static final String FILTER = ".millrace-filter";

    /** A folder that does not exist. */
    private static final String NOTHING = "/.millrace-nothing/";

    /** The longest path of Linux. */
    static final int LONGEST_NAME = 4096;

    static final int DEEPEST_NAME = 512;
    private static final int MOST_NAMES = 10_000_000;

    /** So much memory may each program use that reads a list of files from another host, which can be without end. */
    static final String BOUNDED = "ulimit -v 8388608 2>/dev/null\n";

    private static final Pattern HOST = Pattern.compile("[\\p{Alnum}_][\\p{Alnum}_.-]*|\\[?[0-9A-Fa-f:.]+\\]?");

    private Rsync() {}

    /**
     * Turns names as rsync prints them, with special bytes as {@code \\#ooo}, into names that end with a zero byte. Every list of files of another
     * host passes here before a program of ours uses a name. An absolute name, one with {@code ..}, one that no file can have, or too many names
     * end the list with exit code 65.
     *
     * @param fields number of words that precede each name
     */
    static String names(final int fields) {
        return names(fields, MOST_NAMES);
    }

    static String names(final int fields, final int most) {
        return """
                sed 's/\\\\/\\\\\\\\/g; s/\\\\\\\\#\\([0-7]\\{3\\}\\)/\\\\0\\1/g' |
                xargs -r -d '\\n' printf '%%b\\0' |
                sed -z -E '/^([^ ]* ){%1$d}(\\/|(.*\\/)?\\.\\.(\\/|$))/{
                    s/^/the list of files has a name outside of the tree: /
                    w /dev/stderr
                    Q65
                }
                /^([^ ]* ){%1$d}(.{%2$d}|([^\\/]*\\/){%3$d})/{
                    s/^(.{200}).*/the list of files has a name that is too long or too deep: \\1/
                    w /dev/stderr
                    Q65
                }
                %4$d{
                    s/.*/the list of files has too many names/
                    w /dev/stderr
                    Q65
                }' |
            """.formatted(fields, LONGEST_NAME + 1, DEEPEST_NAME + 1, most + 1);
    }

    /** A file or folder that only this copy uses, relative to the destination: results of many jobs may arrive there at the same time. */
    static String working(final CopyTree order, final String name) {
        return arriving(order) + "/" + name;
    }

    /** Folder of files that this copy is writing; a successful copy removes it. */
    static String arriving(final CopyTree order) {
        return ARRIVING + "/" + jobOf(order);
    }

    static String jobOf(final CopyTree order) {
        return order.transfer().value().replaceFirst("[./].*", "");
    }

    /** Exclude rules for files of the source that were not written by the job and have changed at the destination. */
    static String outdated(final CopyTree order) {
        return working(order, "outdated");
    }

    static List<String> words(final TransferSettings settings, final Duration silence, final String... special) {
        final List<String> words = new ArrayList<>(List.of(
                "rsync",
                "-s",
                "--archive",
                "--hard-links",
                "--sparse",
                "--chmod=Fug-s,Fa-t",
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
        OF_A_RUN.forEach(pattern -> words.add("--exclude=" + pattern));
        words.addAll(List.of(special));
        return words;
    }

    /** Appends filters, source and destination: the contents of {@code from} are copied into {@code to}. */
    static List<String> between(final TransferSettings settings, final CopyTree order, final List<String> words) {
        final List<String> all = new ArrayList<>(words);
        all.add("--exclude=/" + UPLOADED);
        if (order.keepChangedSince() != null) {
            all.add("--exclude-from=" + outdated(order));
        }
        return withOutdated(settings, order, all);
    }

    /** As {@link #between}, with the files of {@link #outdated}. The rules of the order take precedence over those in the tree. */
    static List<String> withOutdated(final TransferSettings settings, final CopyTree order, final List<String> words) {
        final List<String> all = new ArrayList<>(words);
        all.addAll(filters(order.filter()));
        all.addAll(List.of("--", source(settings, order.from()), order.to().path() + "/"));
        return List.copyOf(all);
    }

    /**
     * Examines the files that a copy into an empty folder would transfer.
     *
     * @param format option that selects what is printed
     */
    static List<String> examination(
            final TransferSettings settings,
            final String folder,
            final @Nullable List<FilterRule> filter,
            final String format) {
        final List<String> words = words(settings, settings.silence(), "--dry-run", format);
        words.addAll(filters(filter));
        words.addAll(List.of("--", folder + "/", NOTHING));
        return List.copyOf(words);
    }

    private static List<String> filters(final @Nullable List<FilterRule> rules) {
        return Stream.concat(
                        rules == null ? Stream.of() : rules.stream().map(FilterRule::value),
                        Stream.of("dir-merge " + FILTER))
                .map(rule -> "--filter=" + rule)
                .toList();
    }

    private static String source(final TransferSettings settings, final Place from) {
        final String host = from.host();
        if (host == null || !isRemote(settings, from)) {
            return from.path() + "/";
        }
        if (!isHost(host)) {
            throw new IllegalArgumentException("'" + host + "' is not the name of a host");
        }
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + from.path() + "/";
    }

    /** Whether the files are on another host than the agent. */
    static boolean isRemote(final TransferSettings settings, final Place from) {
        return from.host() != null && !from.host().equals(settings.dataHost());
    }

    /** Whether the text is safe as a host name in a command line: ssh would parse a leading dash as an option. */
    static boolean isHost(final String text) {
        return HOST.matcher(text).matches();
    }

    /** rsync itself splits this text at blanks. A word in single quotes may contain blanks, and a doubled quote is a literal quote. */
    private static String rsh(final List<String> ssh) {
        return ssh.stream()
                .map(word -> word.matches("[\\w./:=@%+,-]+") ? word : "'" + word.replace("'", "''") + "'")
                .collect(Collectors.joining(" "));
    }
}
