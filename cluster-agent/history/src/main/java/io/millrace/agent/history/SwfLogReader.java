package io.millrace.agent.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.StringTokenizer;

/**
 * Reads the Standard Workload Format, version 2.2. Numbers of users, groups, executables and partitions become the names {@code user7},
 * {@code group7}, {@code program7}, {@code partition7}. A job whose waiting time is unknown counts as started when it was submitted;
 * its run time is not affected.
 */
final class SwfLogReader implements AccountingReader {

    private static final int FIELDS = 18;
    private static final long COMPLETED = 1;
    private static final long CANCELLED = 5;
    /** Three thousand years in seconds; larger values are not valid times. */
    private static final double LATEST_S = 100_000_000_000L;

    private static final String START = "UnixStartTime:";

    private final ClusterId cluster;
    private long start_s;

    SwfLogReader(final ClusterId cluster) {
        this.cluster = cluster;
    }

    @Override
    public AccountingLine read(final String line) {
        if (line.startsWith(";")) {
            final int at = line.indexOf(START);
            final String value =
                    at < 0 ? "" : line.substring(at + START.length()).strip();
            start_s = value.matches("\\d{1,10}") ? Long.parseLong(value) : start_s;
            return AccountingLine.HEADER;
        }
        if (line.isBlank()) {
            return AccountingLine.HEADER;
        }
        final StringTokenizer words = new StringTokenizer(line);
        final long[] field = new long[FIELDS + 1];
        for (int i = 1; i <= FIELDS; i++) {
            field[i] = words.hasMoreTokens() ? figure(words.nextToken()) : missing(i);
        }
        final boolean isPartOfARun = field[11] == 2 || field[11] == 3 || field[11] == 4;
        return isPartOfARun ? AccountingLine.DETAIL : AccountingLine.end(job(field));
    }

    private EndedJob job(final long[] field) {
        final boolean ran = ran(field);
        final long cores = field[5] > 0 ? field[5] : ran ? field[8] : Math.max(1, field[8]);
        final boolean valid =
                field[1] >= 0 && field[2] >= 0 && (field[4] >= 0 || !ran) && cores > 0 && cores < Integer.MAX_VALUE;
        if (!valid) {
            throw new IllegalArgumentException(
                    "job " + field[1] + " has no valid submission time, run time or number of processors");
        }
        final Instant submitted = Instant.ofEpochSecond(start_s + field[2]);
        final Instant started = submitted.plusSeconds(Math.max(0, field[3]));
        final JobKey key = new JobKey(new JobId(cluster, Long.toString(field[1])), submitted);
        final Run run = new Run(
                key,
                1,
                ran ? started : null,
                started.plusSeconds(Math.max(0, field[4])),
                outcome(field[11]),
                "swf",
                used(field, cores));
        return new EndedJob(
                key,
                field[14] < 0 ? "" : "program" + field[14],
                null,
                field[12] < 0 ? NameMapping.NO_USER : UserName.of("user" + field[12]),
                field[13] < 0 ? null : ProjectName.of("group" + field[13]),
                PartitionName.of(field[16] < 0 ? "default" : "partition" + field[16]),
                new Resources((int) cores, 0, Math.max(0, field[10]) / 1024 * cores, 0),
                field[9] > 0 ? Duration.ofSeconds(field[9]) : null,
                List.of(run));
    }

    /** The averages per processor are in seconds and KiB; 0 as well as -1 means unknown. */
    private static ResourceUsage used(final long[] field, final long cores) {
        return new ResourceUsage(
                field[6] > 0 ? Duration.ofSeconds(field[6] * cores) : null,
                field[7] > 0 ? field[7] * 1024 * cores : null,
                null);
    }

    /** Unknown and irrelevant fields are -1: a job that never started has no run time, and no processors unless it was cancelled. */
    private static boolean ran(final long[] field) {
        final boolean hasProcessors = field[5] > 0 && field[11] != CANCELLED;
        return field[4] > 0 || field[11] == COMPLETED || hasProcessors;
    }

    private static RunOutcome outcome(final long status) {
        return switch ((int) status) {
            case 0 -> new RunOutcome.Unknown("failed; SWF has no exit codes");
            case 1 -> new RunOutcome.Exited(0);
            case 5 -> new RunOutcome.Cancelled();
            default -> new RunOutcome.Unknown("the log has no status");
        };
    }

    private static long missing(final int field) {
        throw new IllegalArgumentException((field - 1) + " fields instead of " + FIELDS);
    }

    /** Some logs have averages with decimals. */
    private static long figure(final String text) {
        final double value = Double.parseDouble(text);
        if (!(Math.abs(value) <= LATEST_S)) {
            throw new IllegalArgumentException("'" + text + "' is too large");
        }
        return (long) value;
    }
}
