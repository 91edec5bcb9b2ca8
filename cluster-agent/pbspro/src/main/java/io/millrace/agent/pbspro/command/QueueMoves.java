package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Relocation;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Control;

/** Starts jobs in another queue: moves the held job by {@code qmove}, then releases and starts it. */
public final class QueueMoves {

    private final PbsSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;

    public QueueMoves(final PbsSite site, final Runner runner, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
    }

    public Answer<Accepted> start(final JobKey key, final PartitionName to, final Control control) {
        return holds.startable(key, control).then(job -> {
            if (job.queue().equals(to.value())) {
                return holds.startNow(job, control);
            }
            if (job.isArray() || job.isSubjob()) {
                return jobs.wrongState(
                        job,
                        "belongs to an array, and PBS cannot move single subjobs to " + to
                                + "; start it in its own queue " + job.queue());
            }
            return isHere(to) ? move(job, to, control) : elsewhere(to);
        });
    }

    /** Moves a waiting job without starting it. */
    public Answer<Accepted> set(final JobKey key, final PartitionName to) {
        return jobs.find(key)
                .then(job -> !job.isWaiting()
                        ? jobs.wrongState(job, "is not pending")
                        : isHere(to) ? runner.run(PbsCommand.move(site, to.value(), job.id())) : elsewhere(to));
    }

    private static boolean isHere(final PartitionName queue) {
        return queue.value().indexOf('@') < 0;
    }

    private static Answer<Accepted> elsewhere(final PartitionName queue) {
        return Answer.trouble(
                Answer.Kind.REJECTED, "'" + queue + "' is a queue of another server; use a queue of this server");
    }

    private Answer<Accepted> move(final PbsJob job, final PartitionName to, final Control control) {
        final Relocation relocation =
                new Relocation(new JobId(site.cluster(), job.id()), PartitionName.of(job.queue()), to);
        return relocation.execute(
                () -> runner.run(PbsCommand.move(site, to.value(), job.id())),
                () -> holds.start(job.key(), control),
                () -> runner.run(PbsCommand.move(site, job.queue(), job.id())));
    }
}
