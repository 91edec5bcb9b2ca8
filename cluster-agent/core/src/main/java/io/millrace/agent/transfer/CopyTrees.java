package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies the contents of one folder into another. It resumes a copy that was interrupted.
 *
 * @param thorough whether files with equal size and time are compared by checksum, so that a damaged file is copied again
 */
record CopyTrees(TransferSettings settings, CopyTree order, boolean thorough) implements CommandLine<CopyTrees.Copied> {

    /** @param files number of regular files in the source tree, whether copied now or earlier */
    record Copied(long files, long bytes) {}

    /** A line of {@link Rsync#ITEMS} for each regular file of the source, with its checksum if this copy transferred it. */
    static String sent(final CopyTree order) {
        return Rsync.working(order, "sent");
    }

    private static final String SCRIPT = Rsync.BOUNDED + """
        export LC_ALL=C
        cd -- "$1" || exit
        sent=$2
        shift 2
        "$@" | stdbuf -oL tr '\\r' '\\n' | stdbuf -oL sed -e "/^.f.\\{9\\} [0-9a-f ]*\\//w $sent" -e '/^[.<>ch*][fdLDS].\\{9\\} /d'
        status=("${PIPESTATUS[@]}")
        ((status[0] == 0 || status[0] == 24)) || exit "${status[0]}"
        ((status[2] == 0)) || exit "${status[2]}"
        exit "${status[0]}"
        """;

    private static final Pattern FILES =
            Pattern.compile("(?m)^Number of files: \\d+(?: \\((?:reg: (?<regular>\\d{1,18}))?.*\\))?$");
    private static final Pattern BYTES = Pattern.compile("(?m)^Total file size: (?<bytes>\\d{1,18}) bytes$");

    @Override
    public List<String> argv() {
        final List<String> words = Rsync.words(
                settings,
                thorough ? settings.silence() : settings.stall(),
                "--partial-dir=" + Rsync.PARTIAL,
                "--temp-dir=" + Rsync.arriving(order),
                "-ii",
                Rsync.ITEMS,
                "--info=progress2",
                "--stats");
        if (thorough) {
            words.add("--checksum");
        }
        if (order.bandwidthKibPerSecond() != null) {
            words.add("--bwlimit=" + order.bandwidthKibPerSecond());
        }
        final List<String> argv =
                new ArrayList<>(List.of("bash", "-c", SCRIPT, "copy", order.to().path(), sent(order)));
        argv.addAll(Rsync.between(settings, order, words));
        return List.copyOf(argv);
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    /** A file that vanished during the copy (exit code 24) is not an error here; the comparison that follows decides. */
    @Override
    public Answer<Copied> read(final CommandResult result) {
        if (!result.succeeded() && result.exit() != 24) {
            return RsyncErrors.read(result, order.from(), order.to());
        }
        return statistics(result.outputText(), "copying " + order.from() + " to " + order.to());
    }

    /** Reads the output of {@code --stats}. */
    static Answer<Copied> statistics(final String output, final String what) {
        final Matcher files = FILES.matcher(output);
        final Matcher bytes = BYTES.matcher(output);
        if (!files.find() || !bytes.find()) {
            return Answer.trouble(Answer.Kind.UNREADABLE, what + ": rsync printed no statistics this version can read");
        }
        final String regular = files.group("regular");
        return Answer.ok(
                new Copied(regular == null ? 0 : Long.parseLong(regular), Long.parseLong(bytes.group("bytes"))));
    }
}
