package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.transfer.objectstore.OwnerWords;
import io.millrace.agent.transfer.objectstore.StoredTree.LargeFile;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.SendTree;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists the files of a tree that a copy would transfer: rsync applies the filters, as in a copy over ssh.
 *
 * @param checksums whether the large files are read; without, only the fingerprint and the sizes are computed
 */
record ListTree(TransferSettings settings, SendTree order, boolean checksums) implements CommandLine<ListTree.Listing> {

    /**
     * @param fingerprint SHA-256 of the names, inodes, sizes, modes and times; it changes with every change of a file
     * @param files number of regular files
     * @param bytes of all regular files
     */
    record Listing(String fingerprint, long files, long bytes, List<LargeFile> large) {}

    /**
     * Prints {@code MODE INODE SIZE MODIFIED CHANGED NAME/} of each file, terminated by a zero byte. The mode is hexadecimal: 4… is a folder,
     * 8… a regular file.
     */
    private static final String LIST = """
        set -o pipefail
        export LC_ALL=C
        cd -- "$1" || exit
        list() {
            "$@" | sed -n 's/^[.<>ch][fdL].\\{9\\} \\(\\.\\/$\\)\\{0,1\\}/.\\//p' |
        """ + Rsync.UNESCAPE + """
                xargs -0 -r stat --printf '%f %i %s %.9Y %.9Z %n/\\0' --
        }
        """;

    /** A file with a size of at least eight digits is an object of its own, so that its contents are sent once. */
    private static final String LARGE = "/^8[0-9a-f]{3} [0-9]+ [0-9]{8,} /";

    private static final String DESCRIBE = LIST + """
        checksums=$2
        shift 2
        fingerprint=$(list "$@" | sed -z 's/^\\(4[0-9a-f]\\{3\\}\\) [^ ]* [^ ]* [^ ]* [^ ]* /\\1 /' | sha256sum) || exit
        sizes=$(list "$@" | cut -z -d ' ' -f 1,3 | tr '\\0' '\\n' | awk '/^8/ {n++; s += $2} END {printf "%d %.0f", n, s}') || exit
        printf '%s %s\\0' "${fingerprint%% *}" "$sizes"
        if [[ $checksums == no ]]; then exit; fi
        list "$@" | sed -z -n -E '""" + LARGE + """
        p' |
            while IFS=' ' read -r -d '' mode inode size modified changed name; do
                sum=$(sha256sum <"${name%/}") || exit
                printf '%s %s %s %o %s %s\\0' "${sum%% *}" "$size" "$inode" $((16#$mode & 8#777)) "$modified" "$name"
            done
        """;

    private static final String ARCHIVE = LIST + """
        shift
        list "$@" |
            sed -z -E -e '""" + LARGE + """
        d' -e 's/^[0-9a-f]+ [0-9]+ [0-9]+ [^ ]+ [^ ]+ (.*)\\/$/\\1/' |
            tar --create --format=posix --pax-option='delete=atime,delete=ctime' --sparse --no-recursion \\
                --null --verbatim-files-from --files-from=-
        """;

    private static final Pattern HEADER = Pattern.compile("([0-9a-f]{64}) (\\d{1,18}) (\\d{1,18})");

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(
                List.of("bash", "-c", DESCRIBE, "list", order.from().path(), checksums ? "yes" : "no"));
        words.addAll(rsync());
        return List.copyOf(words);
    }

    /** Prints a tar archive of all files but the large ones. */
    CommandLine<Boolean> archive() {
        final List<String> words = new ArrayList<>(
                List.of("bash", "-c", ARCHIVE, "archive", order.from().path()));
        words.addAll(rsync());
        return new OwnerWords(words, limit());
    }

    private List<String> rsync() {
        return Rsync.examination(settings, order.from().path(), order.filter(), "--out-format=%i %n");
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    @Override
    public Answer<Listing> read(final CommandResult result) {
        if (!result.succeeded()) {
            return failed(result);
        }
        final String[] entries = new String(result.output(), StandardCharsets.ISO_8859_1).split("\0");
        final Matcher header = HEADER.matcher(entries[0]);
        return header.matches()
                ? Answer.ok(new Listing(
                        header.group(1),
                        Long.parseLong(header.group(2)),
                        Long.parseLong(header.group(3)),
                        Arrays.stream(entries).skip(1).map(LargeFile::of).toList()))
                : Answer.trouble(Answer.Kind.UNREADABLE, "listing " + order.from() + " printed '" + entries[0] + "'");
    }

    private Answer<Listing> failed(final CommandResult result) {
        final String what = "reading " + order.from() + ": " + result.errorText();
        return result.errorText().contains("ermission denied")
                ? Answer.trouble(Answer.Kind.DENIED, what + "; make it accessible to the job's owner or move it away")
                : Answer.trouble(Answer.Kind.REJECTED, what);
    }
}
