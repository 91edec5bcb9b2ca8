package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.VetoCode;
import io.millrace.model.transfer.Place;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Maps a failed rsync run to trouble. Exit codes are those of rsync(1), "EXIT VALUES". */
final class RsyncErrors {

    private static final Pattern ROLE = Pattern.compile("^rsync: (?:\\[\\w{1,20}] )?");
    private static final int LONGEST = 400;
    private static final int NAMED = 5;
    /** The texts of ENOSPC and EDQUOT in the C locale. */
    private static final String DISK_FULL = "No space left on device";

    private static final String QUOTA_EXCEEDED = "Disk quota exceeded";

    private RsyncErrors() {}

    static <T> Answer<T> read(final CommandResult result, final Place from, final Place to) {
        final String copy = "copying " + from + " to " + to + ": ";
        final List<String> lines = complaints(result);
        final String summary = lines.isEmpty() ? "rsync ended with code " + result.exit() : named(lines);
        if (summary.contains("Host key verification failed")) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    copy + "ssh does not trust the host key of " + from.host()
                            + "; ask its administrator whether the key has changed, then correct known_hosts: "
                            + summary);
        }
        if (summary.contains(QUOTA_EXCEEDED)) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    copy + summary
                            + "; the disk quota of the owner at the destination is exceeded: remove files there or ask for a"
                            + " larger quota");
        }
        if (summary.contains(DISK_FULL)) {
            return Answer.trouble(Answer.Kind.REJECTED, copy + summary + "; make room at the destination");
        }
        if (summary.contains("filter rule")) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    copy + summary + "; correct the file " + Rsync.FILTER + " in " + from
                            + ": each line is a rule of rsync, for example '- *.tmp'");
        }
        return switch (result.exit()) {
            case 23, 11 -> files(copy, summary);
            case 30, 35 -> Answer.trouble(Answer.Kind.TIMEOUT, copy + "no data for too long; " + summary);
            case 20, 137, 143 -> Answer.trouble(Answer.Kind.STOPPED, copy + "stopped by a signal; " + summary);
            case 127 ->
                Answer.trouble(
                        Answer.Kind.REJECTED,
                        copy + "a program is missing; install rsync (and ssh) on both sides: " + summary);
            case 255, 12, 10, 5 ->
                Answer.trouble(
                        Answer.Kind.DOWN,
                        copy + "no connection" + (from.host() == null ? "" : " to " + from.host())
                                + "; check that the owner can log in there by ssh without a password, and that rsync"
                                + " is there: "
                                + summary);
            default -> Answer.trouble(Answer.Kind.REJECTED, copy + summary);
        };
    }

    /** The code of a copy that found no room at its destination; null for another failure. */
    static @Nullable String code(final String reason) {
        if (reason.contains(QUOTA_EXCEEDED)) {
            return VetoCode.DISK_QUOTA_EXCEEDED.code();
        }
        return reason.contains(DISK_FULL) ? VetoCode.DISK_FULL.code() : null;
    }

    private static <T> Answer<T> files(final String copy, final String summary) {
        if (summary.contains("(13)")) {
            return Answer.trouble(
                    Answer.Kind.DENIED, copy + summary + "; make it accessible to the job's owner or move it away");
        }
        return Answer.trouble(Answer.Kind.REJECTED, copy + summary);
    }

    /** The error messages about files and connections, without rsync's summary lines. */
    private static List<String> complaints(final CommandResult result) {
        return new String(result.error(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("rsync error:"))
                .map(RsyncErrors::shorter)
                .toList();
    }

    /** A message about a file, which is in quotes, needs neither the name of the program nor the final full stop. */
    private static String shorter(final String line) {
        if (line.length() > LONGEST) {
            return line.substring(0, LONGEST) + "…";
        }
        final boolean namesFile = line.indexOf('"') != line.lastIndexOf('"');
        final String text = namesFile ? ROLE.matcher(line).replaceFirst("") : line;
        return namesFile && text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    static String named(final List<String> lines) {
        final String first = String.join("; ", lines.subList(0, Math.min(NAMED, lines.size())));
        return lines.size() <= NAMED ? first : first + "; and " + (lines.size() - NAMED) + " more";
    }
}
