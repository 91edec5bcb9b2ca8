package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Polling;
import io.millrace.agent.wlm.capability.NativeCheckpointing.VacatedJob;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Checkpoints a running job by PBS itself. {@code qhold} makes the node run the site's script ({@code $action checkpoint_abort}),
 * which checkpoints and ends the job. The job then waits with a hold, and {@code $action restart} restores it at its next start.
 * This works once the job is in substate 42, a few seconds after its start. Before that, or without a script, PBS only records the
 * hold and the job continues.
 */
public final class CheckpointAndVacate {

    /** qhold returns after the checkpoint. A job that still runs this long afterwards has no checkpoint script. */
    private static final Duration AFTER_THE_ANSWER = Duration.ofSeconds(10);

    private final PbsSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;
    private final Holds holds;

    public CheckpointAndVacate(
            final PbsSite site, final Runner runner, final Clock clock, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
        this.holds = holds;
    }

    public Answer<VacatedJob> run(final JobKey key, final Duration grace) throws InterruptedException {
        final Instant end = clock.instant().plus(grace);
        final Answer<PbsJob> ready = ready(key, end);
        if (!(ready instanceof Answer.Ok<PbsJob> ok)) {
            return ready.then(never -> Answer.trouble(Answer.Kind.WRONG_STATE, "not ready"));
        }
        final PbsJob job = ok.value();
        final Instant requestedAt = clock.instant();
        final Answer<Accepted> held = runner.run(PbsCommand.hold(site, Holds.OWN_HOLD, job.id()));
        if (held instanceof Answer.Trouble<Accepted> trouble) {
            return trouble.kind() == Answer.Kind.TIMEOUT ? waitFor(job, requestedAt, end) : trouble.of();
        }
        final Instant deadline = clock.instant().plus(AFTER_THE_ANSWER);
        return waitFor(job, requestedAt, deadline.isBefore(end) ? deadline : end);
    }

    /** Waits until the job can be checkpointed. */
    private Answer<PbsJob> ready(final JobKey key, final Instant end) throws InterruptedException {
        return Polling.until(
                end,
                clock,
                () -> checkpointable(key),
                () -> Answer.trouble(
                        Answer.Kind.TIMEOUT,
                        "job " + key.id() + " is still starting, so PBS cannot checkpoint it; retry later"));
    }

    private Optional<Answer<PbsJob>> checkpointable(final JobKey key) {
        final Answer<PbsJob> seen = jobs.find(key);
        if (!(seen instanceof Answer.Ok<PbsJob> ok)) {
            return Optional.of(seen);
        }
        final PbsJob job = ok.value();
        if (job.stateLetter() != 'R' || job.isSubjob()) {
            return Optional.of(jobs.wrongState(
                    job, job.isSubjob() ? "is a subjob, which PBS cannot checkpoint" : "is not running"));
        }
        if (job.object().get("Checkpoint", "u").equals("n")) {
            return Optional.of(jobs.wrongState(job, "does not allow checkpoints (qsub -c n)"));
        }
        return job.substate() == PbsJob.SUBSTATE_RUNNING || job.substate() < 0 ? Optional.of(seen) : Optional.empty();
    }

    private Answer<VacatedJob> waitFor(final PbsJob before, final Instant requestedAt, final Instant end)
            throws InterruptedException {
        return Polling.until(end, clock, () -> vacated(before.key(), requestedAt), () -> {
            runner.run(PbsCommand.release(site, Holds.OWN_HOLD, List.of(before.id())));
            return Answer.trouble(
                    Answer.Kind.TIMEOUT,
                    "job " + before.key().id() + " was not checkpointed by its node and continues; add '$action"
                            + " checkpoint_abort SECONDS !SCRIPT %jobid …' and '$action restart …' to mom_priv/config of "
                            + before.object().get("exec_host", "its node"));
        });
    }

    private Optional<Answer<VacatedJob>> vacated(final JobKey key, final Instant requestedAt) {
        return switch (jobs.find(key)) {
            case Answer.Ok<PbsJob> seen ->
                seen.value().isCheckpointed() ? Optional.of(vacated(seen.value(), requestedAt)) : Optional.empty();
            case Answer.Trouble<PbsJob> trouble -> trouble.isJobGone() ? Optional.of(trouble.of()) : Optional.empty();
        };
    }

    private Answer<VacatedJob> vacated(final PbsJob saved, final Instant requestedAt) {
        final Instant at = clock.instant();
        // PBS counts a restart from a checkpoint as the same run; Millrace counts it as a new run.
        runner.run(PbsCommand.runCount(site, saved.runCount() + 1, saved.id()));
        return jobs.find(saved.key())
                .then(job -> holds.mark(job, HoldMark.ENTRY))
                .map(marked -> new VacatedJob(
                        saved.key(),
                        new CheckpointTaken(
                                "native",
                                saved.object().get("exec_host", "node").replaceFirst("/.*", "")
                                        + ":PBS_HOME/checkpoint/" + saved.id() + ".CK",
                                requestedAt,
                                at)));
    }
}
