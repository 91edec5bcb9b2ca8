package io.millrace.submit.domain.usage;

import io.millrace.model.Resources;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Usage records in the Standard Workload Format 2.2 (Chapin et al. 1999; Parallel Workloads Archive): one line a run, in the order in which
 * runs ended. Times are seconds of Unix time. Names are numbers, told by comment lines before they are first used.
 */
public final class UsageSwf {

    private static final long UNKNOWN = -1;
    private static final long KIB_PER_MIB = 1024;

    private UsageSwf() {}

    /** The first lines of a file. */
    public static String header(final ZoneId zone) {
        return """
                ; Version: 2.2
                ; Computer: Millrace
                ; UnixStartTime: 0
                ; TimeZoneString: %s
                ; Note: one line per run, in the order of ends; a job that was put back has several (status 2, then 3 or 4)
                ; Note: group is the project, partition the cluster, queue a partition of a cluster
                """.formatted(zone);
    }

    /**
     * The line, behind comments that tell all names not told before.
     *
     * @param told by kind, how many names the text has told so far; is brought up to date
     */
    public static String lines(
            final RunEnded run, final long number, final SwfNames names, final Map<SwfNames.Kind, Integer> told) {
        final String line = line(run, number, names);
        final StringBuilder lines = new StringBuilder();
        for (final SwfNames.Kind kind : SwfNames.Kind.values()) {
            for (int next = told.getOrDefault(kind, 0) + 1; next <= names.count(kind); next++) {
                lines.append(named(kind, next, names.name(kind, next)));
            }
            told.put(kind, names.count(kind));
        }
        return lines.append(line).toString();
    }

    /** Tells what a number stands for. */
    private static String named(final SwfNames.Kind kind, final int number, final String name) {
        return "; " + kind.label() + ": " + number + " " + name + "\n";
    }

    /**
     * @param number of the line in its file, from 1
     * @param names gives numbers to names that have none yet
     */
    static String line(final RunEnded run, final long number, final SwfNames names) {
        final Resources resources = run.resources();
        final Duration walltime = run.walltime();
        final Instant started = run.startedAt();
        final long submitted_s = run.job().submittedAt().getEpochSecond();
        final long begun_s = (started == null ? run.endedAt() : started).getEpochSecond();
        final String cluster = run.job().cluster().value();
        return LongStream.of(
                                number,
                                submitted_s,
                                Math.max(0, begun_s - submitted_s),
                                Math.max(0, run.endedAt().getEpochSecond() - begun_s),
                                started == null ? UNKNOWN : resources.cores(),
                                UNKNOWN,
                                UNKNOWN,
                                resources.cores(),
                                walltime == null ? UNKNOWN : walltime.toSeconds(),
                                memoryPerCore_KiB(resources),
                                status(run),
                                names.number(SwfNames.Kind.USER, run.owner().value()),
                                run.project() == null
                                        ? UNKNOWN
                                        : names.number(
                                                SwfNames.Kind.GROUP,
                                                run.project().value()),
                                UNKNOWN,
                                names.number(
                                        SwfNames.Kind.QUEUE,
                                        cluster + "/" + run.partition().value()),
                                names.number(SwfNames.Kind.PARTITION, cluster),
                                UNKNOWN,
                                UNKNOWN)
                        .mapToObj(Long::toString)
                        .collect(Collectors.joining(" "))
                + "\n";
    }

    private static long memoryPerCore_KiB(final Resources resources) {
        return resources.memoryMib() <= 0 || resources.cores() <= 0
                ? UNKNOWN
                : resources.memoryMib() * KIB_PER_MIB / resources.cores();
    }

    /** 1 completed, 0 failed, 5 cancelled; 2 goes on in another run, 3 and 4 the last of several: completed, failed. */
    private static long status(final RunEnded run) {
        if (!run.outcome().endsTheJob()) {
            return 2;
        }
        return switch (run.outcome()) {
            case RunOutcome.Cancelled cancelled -> 5;
            case RunOutcome.Unknown unknown -> UNKNOWN;
            case RunOutcome.Exited exited when exited.exitCode() == 0 -> run.run() > 1 ? 3 : 1;
            default -> run.run() > 1 ? 4 : 0;
        };
    }
}
