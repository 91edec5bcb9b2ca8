package io.millrace.submit.domain.usage;

import io.millrace.model.Resources;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The text of usage records in the Standard Workload Format 2.2 (Chapin et al. 1999; Parallel Workloads Archive): one line per run, ordered by end
 * time. Times are in Unix seconds. Names are numbers, which comment lines define before their first use.
 */
public final class UsageSwf {

    private static final long UNKNOWN = -1;
    private static final long KIB_PER_MIB = 1024;

    private final SwfNames names = new SwfNames();
    private long lines;

    /** The header comments. */
    public static String header(final ZoneId zone) {
        return """
            ; Version: 2.2
            ; Computer: Millrace
            ; UnixStartTime: 0
            ; TimeZoneString: %s
            ; Note: one line per run, ordered by end time; a requeued job has several lines (status 2, then 3 or 4)
            ; Note: group is the project, partition is the cluster, queue is a partition of a cluster
            """.formatted(zone);
    }

    /** The line of the next run, preceded by comments that define new names. */
    public String next(final RunEnded run) {
        final String line = line(run, ++lines);
        return names.takeDefinitions() + line;
    }

    private String line(final RunEnded run, final long number) {
        final Resources resources = run.resources();
        final Duration walltime = run.walltime();
        final Instant started = run.startedAt();
        final long submitted_s = run.job().submittedAt().getEpochSecond();
        final long started_s = (started == null ? run.endedAt() : started).getEpochSecond();
        final String cluster = run.job().cluster().value();
        return LongStream.of(
                                number,
                                submitted_s,
                                Math.max(0, started_s - submitted_s),
                                Math.max(0, run.endedAt().getEpochSecond() - started_s),
                                started == null ? UNKNOWN : resources.cores(),
                                cpuPerCore_s(run),
                                usedMemoryPerCore_KiB(run),
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

    private static long cpuPerCore_s(final RunEnded run) {
        final ResourceUsage used = run.used();
        return used == null || used.cpuTime() == null || run.resources().cores() <= 0
                ? UNKNOWN
                : used.cpuTime().toSeconds() / run.resources().cores();
    }

    private static long usedMemoryPerCore_KiB(final RunEnded run) {
        final ResourceUsage used = run.used();
        return used == null || used.peakMemoryBytes() == null || run.resources().cores() <= 0
                ? UNKNOWN
                : used.peakMemoryBytes() / 1024 / run.resources().cores();
    }

    /** 1 completed, 0 failed, 5 cancelled; 2 continued in another run; 3 and 4 the last of several runs, completed and failed. */
    private static long status(final RunEnded run) {
        if (!run.outcome().endsTheJob()) {
            return 2;
        }
        return switch (run.outcome()) {
            case RunOutcome.Cancelled cancelled -> 5;
            case RunOutcome.Preempted preempted -> 5;
            case RunOutcome.Unknown unknown -> UNKNOWN;
            case RunOutcome.Exited exited when exited.exitCode() == 0 -> run.run() > 1 ? 3 : 1;
            default -> run.run() > 1 ? 4 : 0;
        };
    }
}
