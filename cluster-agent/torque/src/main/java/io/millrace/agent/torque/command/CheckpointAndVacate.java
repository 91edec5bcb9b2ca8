package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Polling;
import io.millrace.agent.wlm.capability.NativeCheckpointing.VacatedJob;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Checkpoints a running job by the nodes (BLCR or a {@code $checkpoint_script}). {@code qhold} checkpoints a job that allows it and
 * ends its run. {@code qhold} reports success even if the nodes cannot checkpoint, so the job's state decides.
 */
public final class CheckpointAndVacate {

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final HoldCommands holds;
    private final Clock clock;

    public CheckpointAndVacate(
            final TorqueSite site,
            final Runner runner,
            final JobLookup jobs,
            final HoldCommands holds,
            final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
        this.clock = clock;
    }

    public Answer<VacatedJob> run(final JobKey key, final Duration grace) throws InterruptedException {
        final Answer<TorqueJob> found = jobs.find(key).then(this::mayBeSaved);
        if (found instanceof Answer.Trouble<TorqueJob> trouble) {
            return trouble.of();
        }
        final TorqueJob job = found.get();
        final Instant requestedAt = clock.instant();
        final Answer<Accepted> held = holds.holdWithCheckpoint(job);
        return held instanceof Answer.Trouble<Accepted> refused ? refused.of() : await(key, job, requestedAt, grace);
    }

    private Answer<TorqueJob> mayBeSaved(final TorqueJob job) {
        final String allowed = "," + job.object().get("Checkpoint", "").strip() + ",";
        if (!job.stateLetter().equals("R")) {
            return jobs.wrongState(job, "is not running");
        }
        return allowed.contains(",enabled,")
                        || allowed.contains(",s,")
                        || allowed.contains(",c")
                        || allowed.contains(",periodic,")
                ? Answer.ok(job)
                : jobs.wrongState(job, "does not allow checkpoints; submit it with qsub -c enabled");
    }

    private Answer<VacatedJob> await(
            final JobKey key, final TorqueJob job, final Instant requestedAt, final Duration grace)
            throws InterruptedException {
        return Polling.until(
                requestedAt.plus(grace),
                clock,
                () -> vacated(key, requestedAt),
                () -> holds.restoreHolds(job)
                        .then(undone -> Answer.trouble(
                                Answer.Kind.TIMEOUT,
                                "job " + job.localId() + " was not checkpointed within " + grace.toSeconds()
                                        + " s and continues; check the checkpoint script of pbs_mom on its nodes")));
    }

    private Optional<Answer<VacatedJob>> vacated(final JobKey key, final Instant requestedAt) {
        return switch (jobs.find(key)) {
            case Answer.Ok<TorqueJob> seen ->
                seen.value().stateLetter().equals("H")
                        ? Optional.of(Answer.ok(new VacatedJob(key, taken(seen.value(), requestedAt))))
                        : Optional.empty();
            case Answer.Trouble<TorqueJob> trouble ->
                trouble.isJobGone() ? Optional.of(trouble.of()) : Optional.empty();
        };
    }

    private CheckpointTaken taken(final TorqueJob job, final Instant requestedAt) {
        final String directory = job.object().get("checkpoint_dir", "");
        final String name = job.object().get("checkpoint_name", job.localId());
        final Instant saved =
                Optional.ofNullable(job.instant("checkpoint_time")).orElseGet(clock::instant);
        return new CheckpointTaken(
                "native",
                directory.isEmpty() ? name + " on " + site.cluster() : directory + "/" + name,
                requestedAt,
                saved.isBefore(requestedAt) ? clock.instant() : saved);
    }
}
