package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.ControlFile;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.Scontrol;
import io.millrace.agent.slurm.command.Scontrol.Verb;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobState;
import org.jspecify.annotations.Nullable;

/** Requeues running jobs, with or without an entry hold. */
final class Requeues implements Requeueing {

    private final SlurmSite site;
    private final Runner runner;
    private final JobLookup jobs;

    Requeues(final SlurmSite site, final Runner runner, final JobLookup jobs) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
    }

    /** Under native control without a hold: Slurm may start it again at once. */
    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return runner.run(new ControlFile.Read(site))
                .then(control -> control == Control.DIRECTED
                        ? requeueHeld(job, why)
                        : requeue(job, AdminCommentMark.FREE, Verb.REQUEUE, why));
    }

    /** A job that requeued itself with one of the site's {@code RequeueExitHold} exit codes is held already: only its mark changes. */
    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return jobs.current(job)
                .then(seen -> seen.cell("state").equals("SPECIAL_EXIT")
                        ? runner.run(HoldUpdate.of(
                                site, TargetId.of(seen), AdminCommentMark.comment(seen, AdminCommentMark.ENTRY, why)))
                        : requeue(job, AdminCommentMark.ENTRY, Verb.REQUEUEHOLD, why));
    }

    /** Marks the running job first, so that it is never observed as pending without its mark. */
    private Answer<Accepted> requeue(
            final JobKey job, final String mark, final Verb verb, final @Nullable UserSentence why) {
        return jobs.current(job)
                .then(seen -> JobStates.of(seen) instanceof JobState.Running
                                || JobStates.of(seen) instanceof JobState.Suspended
                        ? runner.run(HoldUpdate.of(site, TargetId.of(seen), AdminCommentMark.comment(seen, mark, why)))
                                .then(marked -> runner.run(Scontrol.of(site, verb, TargetId.of(seen))))
                        : jobs.wrongState(seen, "is not running"));
    }
}
