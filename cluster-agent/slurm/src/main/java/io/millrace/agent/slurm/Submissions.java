package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.Sbatch;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserCommand;
import io.millrace.agent.wlm.capability.ArrayCommands;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.JobKey;
import io.millrace.model.command.DryRunResult;
import java.util.List;
import java.util.function.Supplier;

/** Submits jobs as their owner, held and with the mark of a submission. */
final class Submissions implements Submitting, ArrayCommands, DryRunning {

    private final SlurmSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Supplier<String> nonces;

    Submissions(final SlurmSite site, final Runner runner, final JobLookup jobs, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.nonces = nonces;
    }

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        final Sbatch sbatch = Sbatch.of(site, submission, nonces.get());
        return sbatch.refusal()
                .<Answer<JobKey>>map(reason -> Answer.trouble(Answer.Kind.REJECTED, reason))
                .orElseGet(() -> runner.as(submission.owner(), submission.authority())
                        .run(sbatch)
                        .then(id -> Submission.accepted("sbatch", id, marked(id))));
    }

    /** The key of a new job. Adds the mark on clusters without {@code job_submit.lua}, which would have added it. */
    private Answer<JobKey> marked(final String id) {
        return jobs.rows(List.of(id)).then(rows -> {
            final QueuedJob job = rows.stream()
                    .filter(row -> row.localId().equals(id))
                    .findFirst()
                    .orElse(null);
            if (job == null) {
                return Answer.trouble(Answer.Kind.UNREADABLE, "squeue does not list it");
            }
            final JobKey key = job.key(site.cluster());
            return job.mark().isPresent()
                    ? Answer.ok(key)
                    : runner.run(HoldUpdate.of(site, id, AdminCommentMark.comment(job, AdminCommentMark.SUBMISSION)))
                            .map(done -> key);
        });
    }

    @Override
    public UserCommand submit(final UserArray array) {
        return new UserCommand(
                array.with(
                        "-p",
                        List.of(
                                "sbatch",
                                "--parsable",
                                "--job-name=" + array.name(),
                                "--array=" + array.indices(),
                                "--ntasks=1",
                                "--time=" + TimeLimits.write(array.walltime()))),
                site.changeEnvironment(),
                array.script(),
                array.directory());
    }

    @Override
    public Answer<DryRunResult> dryRun(final Submission submission) {
        final Sbatch sbatch = Sbatch.of(site, submission, nonces.get());
        return sbatch.script().dryRun(sbatch, runner.as(submission.owner(), submission.authority()));
    }
}
