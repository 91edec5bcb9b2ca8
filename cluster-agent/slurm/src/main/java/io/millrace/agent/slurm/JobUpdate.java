package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.PropertyUpdate;
import io.millrace.agent.slurm.command.SettingUpdate;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.PartitionQuery;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes the walltime of jobs, and name and cores of pending ones. Slurm accepts any limit from an administrator, even one that ends the job immediately or prevents its
 * start. This class refuses both such walltimes.
 */
final class JobUpdate implements Altering {

    /** slurmctld stores minutes in 32 bits; the two highest values mean "none" and "unlimited". */
    private static final long MAX_MINUTES = 4_294_967_293L;

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;
    private final PartitionMoves moves;

    JobUpdate(
            final SlurmSite site,
            final Runner runner,
            final Clock clock,
            final JobLookup jobs,
            final PartitionMoves moves) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
        this.moves = moves;
    }

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration limit) {
        if (limit.compareTo(Duration.ofSeconds(1)) < 0 || limit.toMinutes() >= MAX_MINUTES) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "walltime " + limit + " is out of Slurm's range; use 1 second to " + MAX_MINUTES + " minutes");
        }
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Queued q -> waiting(job, seen, limit);
            case JobState.Held h -> waiting(job, seen, limit);
            case JobState.Running r -> running(job, seen, limit, r.startedAt());
            case JobState.Suspended s -> running(job, seen, limit, s.startedAt());
            case JobState.Completing c -> jobs.wrongState(seen, "is completing");
            case JobState.Unsettled u -> jobs.wrongState(seen, "has ended");
            case JobState.Unknown u -> jobs.wrongState(seen, "is in unknown state " + u.code());
        });
    }

    /** Only jobs of tasks with one core each: Slurm does not change the layout of others with their number of cores. */
    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        return jobs.current(job).then(seen -> {
            if (!JobStates.of(seen).isWaiting()) {
                return jobs.wrongState(seen, "is not pending; its state is " + seen.cell("state"));
            }
            if (cores != null && !seen.cell("cpuspertask").matches("1|N/A|")) {
                return Answer.trouble(
                        Answer.Kind.REJECTED,
                        "job " + seen.localId() + " requests " + seen.cell("cpuspertask")
                                + " cores for each task, so its total cannot be changed; stop it and submit it again");
            }
            return runner.run(new PropertyUpdate(site, TargetId.of(seen), name, cores));
        });
    }

    private Answer<Accepted> waiting(final JobKey job, final QueuedJob seen, final Duration limit) {
        return runner.run(new PartitionQuery(site)).then(partitions -> {
            final boolean fits = partitions.stream()
                    .filter(partition -> seen.partitions().contains(partition.partition()))
                    .map(PartitionObserved::walltimeLimit)
                    .anyMatch(max -> max == null || rounded(limit).compareTo(max) <= 0);
            return fits
                    ? change(job, seen, limit)
                    : Answer.trouble(
                            Answer.Kind.REJECTED,
                            "walltime " + rounded(limit).toMinutes() + " min exceeds the MaxTime of partition "
                                    + seen.cell("partition") + ", so job " + seen.localId()
                                    + " would never start; use a shorter walltime");
        });
    }

    private Answer<Accepted> running(
            final JobKey job, final QueuedJob seen, final Duration limit, final Instant started) {
        final Duration elapsed = Duration.between(started, clock.instant());
        return rounded(limit).compareTo(elapsed) > 0
                ? change(job, seen, limit)
                : jobs.wrongState(
                        seen,
                        "has run for " + elapsed.toMinutes() + " min, so a walltime of "
                                + rounded(limit).toMinutes() + " min would end it immediately; to end it, cancel it");
    }

    private Answer<Accepted> change(final JobKey job, final QueuedJob seen, final Duration limit) {
        return runner.run(SettingUpdate.walltime(site, TargetId.of(seen), limit))
                .then(done -> jobs.current(job).then(now -> {
                    final Duration found = TimeLimits.read(now.cell("timelimit"));
                    return Objects.equals(found, rounded(limit))
                            ? Answer.ok(done)
                            : Answer.trouble(
                                    Answer.Kind.UNREADABLE,
                                    "Slurm accepted walltime " + rounded(limit) + " for job " + seen.localId()
                                            + " but reports " + shown(found));
                }));
    }

    private static String shown(final @Nullable Duration limit) {
        return limit == null ? "none" : limit.toString();
    }

    private static Duration rounded(final Duration limit) {
        return Duration.ofMinutes(Long.parseLong(TimeLimits.write(limit)));
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return moves.setPartitions(job, List.of(partition));
    }
}
