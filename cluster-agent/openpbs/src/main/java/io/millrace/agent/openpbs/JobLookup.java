package io.millrace.agent.openpbs;

import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Finds the very job that is meant: ids are reused when a server's database is made anew. */
final class JobLookup {

    private final TorqueSite site;
    private final Runner runner;
    private final Supplier<Answer<TorqueFeatures>> dialect;

    /** {@code 12.server}, {@code 12[3].server}, of old versions {@code 12-3.server}. */
    private static final Pattern ID = Pattern.compile("\\d+(\\[\\d*]|-\\d+)?(\\.[\\w.-]+)?");

    JobLookup(final TorqueSite site, final Runner runner, final Supplier<Answer<TorqueFeatures>> dialect) {
        this.site = site;
        this.runner = runner;
        this.dialect = dialect;
    }

    Answer<List<TorqueJob>> byIds(final List<String> ids) {
        return dialect.get().then(known -> runner.run(JobQuery.of(site, known, ids)));
    }

    /** The job itself, not another one under its id, and not a completed one. */
    Answer<TorqueJob> find(final JobKey key) {
        // Anything else is a queue to qstat, or another server to be asked: 12.vm@there.
        return ID.matcher(key.id().local()).matches() ? found(key) : unknown(key);
    }

    /**
     * What this key stands for; of an array whose tasks are listed, those that wait together.
     *
     * @param control decides how tasks wait
     */
    Answer<ReportedJob> reported(
            final JobKey key, final Control control, final WaitingArrayTasks tasks, final Instant now) {
        final boolean array = PbsId.in(key.id().local()).filter(PbsId::isArray).isPresent();
        return dialect.get()
                .then(known -> array && known.listsArrayTasks()
                        ? runner.run(JobQuery.all(site, known))
                                .then(jobs -> tasks.group(waiting(jobs), control, now).stream()
                                        .filter(one -> one.isArray()
                                                && one.key(site.cluster()).equals(key))
                                        .findFirst()
                                        .<Answer<ReportedJob>>map(Answer::ok)
                                        .orElseGet(() -> unknown(key)))
                        : find(key).map(ReportedJob::of));
    }

    private static List<TorqueJob> waiting(final List<TorqueJob> jobs) {
        return jobs.stream().filter(ReportedJob::isTask).toList();
    }

    private Answer<TorqueJob> found(final JobKey key) {
        return byIds(List.of(key.id().local())).then(jobs -> {
            for (final TorqueJob job : JobQuery.named(jobs, key.id().local())) {
                if (job.submitted().equals(key.submittedAt())) {
                    return job.isCompleted() ? wrongState(job, "has ended") : Answer.ok(job);
                }
            }
            return unknown(key);
        });
    }

    private <T> Answer<T> unknown(final JobKey key) {
        return Answer.trouble(
                Answer.Kind.NO_SUCH_JOB,
                "the server knows no job " + key.id().local() + " that was submitted at " + key.submittedAt() + " to "
                        + site.cluster());
    }

    <T> Answer<T> wrongState(final TorqueJob job, final String because) {
        return Answer.trouble(
                Answer.Kind.WRONG_STATE, "job " + new JobId(site.cluster(), job.localId()) + " " + because);
    }
}
