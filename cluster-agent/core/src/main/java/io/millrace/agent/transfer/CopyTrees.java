package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies the contents of one folder into another; continues where an earlier try was cut off.
 *
 * @param thorough whether files that agree in size and time are compared as well, so that a damaged one is copied again
 */
record CopyTrees(TransferSettings settings, Place from, Place to, boolean thorough)
        implements CommandLine<CopyTrees.Copied> {

    /** @param files regular files of the source tree, moved now or there before */
    record Copied(long files, long bytes) {}

    private static final Pattern FILES =
            Pattern.compile("(?m)^Number of files: \\d+(?: \\((?:reg: (?<regular>\\d+))?.*\\))?$");
    private static final Pattern BYTES = Pattern.compile("(?m)^Total file size: (?<bytes>\\d+) bytes$");

    @Override
    public List<String> argv() {
        final List<String> words = Rsync.words(
                settings,
                thorough ? settings.silence() : settings.stall(),
                "--partial-dir=" + Rsync.PARTIAL,
                "--temp-dir=" + Rsync.ARRIVING,
                "--stats");
        if (thorough) {
            words.add("--checksum");
        }
        if (settings.bandwidth_kib_s() > 0) {
            words.add("--bwlimit=" + settings.bandwidth_kib_s());
        }
        return Rsync.between(settings, from, to, words);
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    /** A file that vanished while it was copied (exit 24) is none of this copy's; the comparison that follows decides. */
    @Override
    public Answer<Copied> read(final CommandResult result) {
        if (!result.succeeded() && result.exit() != 24) {
            return RsyncErrors.read(result, from, to);
        }
        final Matcher files = FILES.matcher(result.outputText());
        final Matcher bytes = BYTES.matcher(result.outputText());
        if (!files.find() || !bytes.find()) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE,
                    "copying " + from + " to " + to + ": rsync printed no statistics this version can read");
        }
        final String regular = files.group("regular");
        return Answer.ok(
                new Copied(regular == null ? 0 : Long.parseLong(regular), Long.parseLong(bytes.group("bytes"))));
    }
}
