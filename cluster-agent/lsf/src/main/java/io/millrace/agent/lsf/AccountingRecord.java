package io.millrace.agent.lsf;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code JOB_FINISH} record of {@code lsb.acct}: one run that is over, in seconds since 1970. A run that was put back has one, too.
 *
 * @param reason LSF's number for why it ended; 0: it does not say
 */
record AccountingRecord(
        String id,
        Instant submitted,
        @Nullable Instant started,
        Instant ended,
        String user,
        String queue,
        String project,
        String name,
        String command,
        int slots,
        int waitStatus,
        int reason) {

    private static final Pattern WORD = Pattern.compile("\"((?:[^\"]|\"\")*)\"|(\\S+)");
    private static final Pattern TAG =
            Pattern.compile("#\\s*millrace ([0-7][0-9A-HJKMNP-TV-Z]{25}\\.[1-9][0-9]{0,8})\\b");
    private static final int USAGE = 19;

    static Optional<AccountingRecord> read(final String line) {
        if (!line.startsWith("\"JOB_FINISH\"")) {
            return Optional.empty();
        }
        final List<String> word = new ArrayList<>();
        final List<Boolean> quoted = new ArrayList<>();
        final Matcher found = WORD.matcher(line);
        while (found.find()) {
            quoted.add(found.group(1) != null);
            word.add(found.group(1) != null ? found.group(1).replace("\"\"", "\"") : found.group(2));
        }
        try {
            return Optional.of(line(word, quoted));
        } catch (final IndexOutOfBoundsException | NumberFormatException e) {
            return Optional.empty(); // the last line of the file may be half written
        }
    }

    private static AccountingRecord line(final List<String> word, final List<Boolean> quoted) {
        final int asked = 22 + Integer.parseInt(word.get(22));
        final int hosts = asked + 1 + Integer.parseInt(word.get(asked + 1));
        final int behindUsage = hosts + 5 + USAGE;
        // LSF has a word of its own behind the login shell, the work-alike has not.
        final int index = behindUsage + 5 + (quoted.get(behindUsage + 5) ? 1 : 0);
        final int reason = index + 9;
        final boolean told =
                word.size() > reason && !quoted.get(reason) && word.get(reason).matches("\\d+");
        return new AccountingRecord(
                word.get(index).equals("0") ? word.get(3) : word.get(3) + "[" + word.get(index) + "]",
                Instant.ofEpochSecond(Long.parseLong(word.get(7))),
                word.get(10).equals("0") ? null : Instant.ofEpochSecond(Long.parseLong(word.get(10))),
                Instant.ofEpochSecond(Long.parseLong(word.get(2))),
                word.get(11),
                word.get(12),
                word.get(behindUsage + 1),
                word.get(hosts + 3).replaceFirst("\\[[^\\]]*](%\\d+)?$", ""),
                word.get(hosts + 4),
                Integer.parseInt(word.get(6)),
                Integer.parseInt(word.get(behindUsage + 2)),
                told ? Integer.parseInt(word.get(reason)) : 0);
    }

    JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, id), submitted);
    }

    @Nullable
    AttemptId attempt() {
        final Matcher tag = TAG.matcher(command);
        return tag.find() ? AttemptId.of(tag.group(1)) : null;
    }

    /** The numbers of "Termination reasons" in Administering IBM Spectrum LSF; the work-alike has only the status. */
    RunOutcome outcome() {
        return switch (reason) {
            case 5, 6 -> new RunOutcome.TimedOut();
            case 8, 9, 14, 15, 23, 26, 27, 1, 2, 3, 13 -> new RunOutcome.Cancelled();
            case 10, 11 -> new RunOutcome.Requeued();
            case 18, 19, 33, 34 -> new RunOutcome.NodeFailed();
            default -> started == null ? new RunOutcome.Cancelled() : byStatus();
        };
    }

    private RunOutcome byStatus() {
        return (waitStatus & 0x7f) != 0
                ? new RunOutcome.Signalled(waitStatus & 0x7f)
                : RunEnd.ofExitCode((waitStatus >> 8) & 0xff);
    }
}
