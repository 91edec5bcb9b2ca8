package io.millrace.agent.pbspro;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.NativeCheckpointing.Parked;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * PBS's own checkpoints: {@code qhold} on a running job makes its node call the site's script ({@code $action checkpoint_abort}), which
 * saves the job and ends it; the job waits, held, and {@code $action restart} brings it back. It works once the job is in substate 42, some
 * seconds after its start; before that, or without a script, the hold is only noted and the job runs on.
 */
final class CheckpointAndVacate {

    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    /** qhold answers when the node has saved the job; one that still runs so long afterwards has no script. */
    private static final Duration AFTER_THE_ANSWER = Duration.ofSeconds(10);

    private final PbsSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;
    private final Holds holds;

    CheckpointAndVacate(
            final PbsSite site, final Runner runner, final Clock clock, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
        this.holds = holds;
    }

    Answer<Parked> run(final JobKey key, final Duration grace) throws InterruptedException {
        final Instant end = clock.instant().plus(grace);
        final Answer<PbsJob> ready = ready(key, end);
        if (!(ready instanceof Answer.Ok<PbsJob> ok)) {
            return ready.then(never -> Answer.trouble(Answer.Kind.WRONG_STATE, "not ready"));
        }
        final PbsJob job = ok.value();
        final Instant asked = clock.instant();
        final Answer<Accepted> held = runner.run(PbsCommand.hold(site, Holds.OWN_HOLD, job.id()));
        if (held instanceof Answer.Trouble<Accepted> trouble) {
            return trouble.kind() == Answer.Kind.TIMEOUT ? waitFor(job, asked, end) : trouble.of();
        }
        final Instant patience = clock.instant().plus(AFTER_THE_ANSWER);
        return waitFor(job, asked, patience.isBefore(end) ? patience : end);
    }

    /** The job, once it has fully begun. */
    private Answer<PbsJob> ready(final JobKey key, final Instant end) throws InterruptedException {
        while (true) {
            final Answer<PbsJob> seen = jobs.find(key);
            if (!(seen instanceof Answer.Ok<PbsJob> ok)) {
                return seen;
            }
            final PbsJob job = ok.value();
            if (job.stateLetter() != 'R' || job.isSubjob()) {
                return jobs.wrongState(job, job.isSubjob() ? "is a subjob, which PBS cannot save" : "does not run");
            }
            if (job.object().get("Checkpoint", "u").equals("n")) {
                return jobs.wrongState(job, "was handed in with -c n: its owner allows no checkpoints");
            }
            if (job.substate() == PbsJob.SUBSTATE_RUNNING || job.substate() < 0) {
                return seen;
            }
            if (clock.instant().isAfter(end)) {
                return Answer.trouble(
                        Answer.Kind.TIMEOUT, "job " + key.id() + " has not fully begun, so PBS would not save it");
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
    }

    private Answer<Parked> waitFor(final PbsJob before, final Instant asked, final Instant end)
            throws InterruptedException {
        while (true) {
            final Answer<PbsJob> seen = jobs.find(before.key());
            if (seen instanceof Answer.Ok<PbsJob> ok && ok.value().isCheckpointed()) {
                return parked(ok.value(), asked);
            }
            if (seen instanceof Answer.Trouble<PbsJob> trouble
                    && (trouble.kind() == Answer.Kind.NO_SUCH_JOB || trouble.kind() == Answer.Kind.WRONG_STATE)) {
                return trouble.of();
            }
            if (clock.instant().isAfter(end)) {
                runner.run(PbsCommand.release(site, Holds.OWN_HOLD, List.of(before.id())));
                return Answer.trouble(
                        Answer.Kind.TIMEOUT,
                        "job " + before.key().id() + " runs on: its node did not save it; is there a line '$action"
                                + " checkpoint_abort SECONDS !SCRIPT %jobid …' (and '$action restart') in mom_priv/config of "
                                + before.object().get("exec_host", "its node") + "?");
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
    }

    private Answer<Parked> parked(final PbsJob saved, final Instant asked) {
        final Instant at = clock.instant();
        // PBS counts a restart from a checkpoint as the same run; for us the run that was cut is over.
        runner.run(PbsCommand.runCount(site, saved.runCount() + 1, saved.id()));
        return jobs.find(saved.key())
                .then(job -> holds.mark(job, HoldMark.ENTRY))
                .map(marked -> new Parked(
                        saved.key(),
                        new CheckpointTaken(
                                "native",
                                saved.object().get("exec_host", "node").replaceFirst("/.*", "")
                                        + ":PBS_HOME/checkpoint/" + saved.id() + ".CK",
                                asked,
                                at)));
    }
}
