package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares every byte of the source tree with the destination. rsync reads each side once and computes the fastest checksum that both
 * sides know; the digest is made of these checksums.
 */
record CompareTrees(TransferSettings settings, CopyTree order) implements CommandLine<CompareTrees.Compared> {

    /**
     * @param differences rsync's marks and the name of each difference; empty if there are none
     * @param digest SHA-256 of the checksums, sizes and names of all regular files of the source, sorted by name
     */
    record Compared(List<String> differences, String digest) {}

    /** Lines {@code CHECKSUM/SIZE/NAME}: the regular files of the source tree as the last comparison found them. */
    static String verified(final CopyTree order) {
        return Rsync.working(order, "verified");
    }

    /** A file that is as old as the begin of the last comparison. */
    static String begun(final CopyTree order) {
        return Rsync.working(order, "begun");
    }

    /** A line of rsync begins with the kind of update, the kind of file and nine marks, blank if nothing differs. */
    private static final String SCRIPT = Rsync.BOUNDED + """
        set -o pipefail
        export LC_ALL=C
        cd -- "$1" || exit
        verified=$2
        : >"$3"
        shift 3
        "$@" |
            sed -n -e "/^.f.\\{9\\} /{h; s/^.\\{12\\}//w $verified" -e 'g}' \\
                -e 's/^\\(.\\{11\\} \\)[0-9a-f ]*\\/[0-9]*\\//\\1/' -e '/^[.hc][[:alpha:]] \\{10\\}/!p'
        status=$?
        if ((status == 0 || status == 24)); then sort "$verified" | sha256sum; fi
        exit $status
        """;

    /** The digest in the output of {@code sha256sum}. */
    static String digest(final String printed) {
        return printed.replaceFirst(" .*", "").strip();
    }

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(
                List.of("bash", "-c", SCRIPT, "compare", order.to().path(), verified(order), begun(order)));
        words.addAll(Rsync.between(
                settings,
                order,
                Rsync.words(settings, settings.silence(), "--checksum", "--dry-run", "-ii", Rsync.ITEMS)));
        return List.copyOf(words);
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    @Override
    public Answer<Compared> read(final CommandResult result) {
        if (!result.succeeded() && result.exit() != 24) {
            return RsyncErrors.read(result, order.from(), order.to());
        }
        final List<String> lines =
                result.outputText().lines().filter(line -> !line.isBlank()).toList();
        return lines.isEmpty()
                ? Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "comparing " + order.from() + " with " + order.to() + ": sha256sum printed no digest")
                : Answer.ok(new Compared(lines.subList(0, lines.size() - 1), digest(lines.getLast())));
    }
}
