package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes the walltime limit of jobs. Slurm lets an administrator give any limit to anything, also one that ends the job at once or one
 * with which it never starts; neither is meant here.
 */
final class WalltimeUpdate {

    /** slurmctld counts minutes in 32 bits, of which the last values mean "none" and "unlimited". */
    private static final long MOST_MINUTES = 4_294_967_293L;

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;

    WalltimeUpdate(final SlurmSite site, final Runner runner, final Clock clock, final JobLookup jobs) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
    }

    Answer<Accepted> set(final JobKey job, final Duration limit) {
        if (limit.compareTo(Duration.ofSeconds(1)) < 0 || limit.toMinutes() >= MOST_MINUTES) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "a walltime of " + limit + " is none that Slurm can keep; give 1 s to " + MOST_MINUTES
                            + " minutes");
        }
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Queued q -> waiting(job, seen, limit);
            case JobState.Held h -> waiting(job, seen, limit);
            case JobState.Running r -> running(job, seen, limit, r.startedAt());
            case JobState.Suspended s -> running(job, seen, limit, s.startedAt());
            case JobState.Completing c -> jobs.wrongState(seen, "is just leaving its nodes");
            case JobState.Unsettled u -> jobs.wrongState(seen, "has ended");
            case JobState.Unknown u -> jobs.wrongState(seen, "is in a state unknown here: " + u.code());
        });
    }

    private Answer<Accepted> waiting(final JobKey job, final QueuedJob seen, final Duration limit) {
        return runner.run(new PartitionQuery(site)).then(partitions -> {
            final boolean fits = partitions.stream()
                    .filter(partition -> seen.partitions().contains(partition.partition()))
                    .map(PartitionObserved::walltimeLimit)
                    .anyMatch(most -> most == null || rounded(limit).compareTo(most) <= 0);
            return fits
                    ? change(job, seen, limit)
                    : Answer.trouble(
                            Answer.Kind.REJECTED,
                            "partition " + seen.cell("partition") + " takes no job of "
                                    + rounded(limit).toMinutes() + " minutes: " + seen.localId()
                                    + " would never start; its MaxTime says how long");
        });
    }

    private Answer<Accepted> running(
            final JobKey job, final QueuedJob seen, final Duration limit, final Instant started) {
        final Duration elapsed = Duration.between(started, clock.instant());
        return rounded(limit).compareTo(elapsed) > 0
                ? change(job, seen, limit)
                : jobs.wrongState(
                        seen,
                        "has run for " + elapsed.toMinutes() + " min: a limit of "
                                + rounded(limit).toMinutes() + " min would end it at once; cancel it if that is meant");
    }

    private Answer<Accepted> change(final JobKey job, final QueuedJob seen, final Duration limit) {
        return runner.run(SettingUpdate.walltime(site, TargetId.of(seen), limit))
                .then(done -> jobs.current(job).then(now -> {
                    final Duration found = TimeLimits.read(now.cell("timelimit"));
                    return Objects.equals(found, rounded(limit))
                            ? Answer.ok(done)
                            : Answer.trouble(
                                    Answer.Kind.UNREADABLE,
                                    "Slurm took a limit of " + rounded(limit) + " for " + seen.localId() + " and shows "
                                            + shown(found));
                }));
    }

    private static String shown(final @Nullable Duration limit) {
        return limit == null ? "none" : limit.toString();
    }

    private static Duration rounded(final Duration limit) {
        return Duration.ofMinutes(Long.parseLong(TimeLimits.write(limit)));
    }
}
