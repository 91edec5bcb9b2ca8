package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a copy that transferred every file, so that the source is not read a second time: reads what arrived and compares it with the
 * checksums that rsync on the source computed of the bytes it sent, and finds files that changed there meanwhile by size and time.
 *
 * <p>The answer is the digest of the tree as {@link CompareTrees} computes it, or empty if a comparison of both sides is needed: if
 * files were at the destination before, or if anything differs.
 */
record CheckCopied(TransferSettings settings, CopyTree order) implements CommandLine<String> {

    private static final String SCRIPT = Rsync.BOUNDED + """
        set -o pipefail
        export LC_ALL=C
        cd -- "$1" || exit
        sent=$2 words=$3 verified=$4 begun=$5
        shift 5
        : >"$begun"
        if grep -q '^[^h]f.\\{9\\} *\\/' "$sent"; then exit; fi
        sed -n 's/^.f.\\{9\\} [0-9a-f ]*\\/[0-9]*\\//.\\//p' "$sent" |
        """ + Rsync.names(0) + """
            "${@:words+1}" | sed -n 's/^.f.\\{9\\} //p' | sort >"$verified" &
        reread=$!
        changed=$("${@:1:words}" | sed '/^[.hc][[:alpha:]] \\{10\\}/d') || exit
        wait $reread || exit
        different=$(sed -n 's/^[^h]f.\\{9\\} //p' "$sent" | sort | comm -23 - "$verified")
        if [[ -z $changed$different ]]; then sha256sum <"$verified"; fi
        """;

    @Override
    public List<String> argv() {
        final List<String> sizesAndTimes =
                Rsync.between(settings, order, Rsync.words(settings, settings.silence(), "--dry-run", Rsync.ITEMS));
        final List<String> words = new ArrayList<>(List.of(
                "bash",
                "-c",
                SCRIPT,
                "check",
                order.to().path(),
                CopyTrees.sent(order),
                Integer.toString(sizesAndTimes.size()),
                CompareTrees.verified(order),
                CompareTrees.begun(order)));
        words.addAll(sizesAndTimes);
        words.addAll(Rsync.words(
                settings, settings.silence(), "--checksum", "--dry-run", Rsync.ITEMS, "--from0", "--files-from=-"));
        words.addAll(List.of("--", "./", Rsync.working(order, "nothing/")));
        return List.copyOf(words);
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    /** A failure is not reported: the comparison that follows finds its cause. */
    @Override
    public Answer<String> read(final CommandResult result) {
        return Answer.ok(result.succeeded() ? CompareTrees.digest(result.outputText()) : "");
    }
}
