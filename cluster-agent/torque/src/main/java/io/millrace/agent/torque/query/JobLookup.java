package io.millrace.agent.torque.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Finds the job of a key. The submission time must match, because ids are reused when a server's database is recreated. */
public final class JobLookup {

    private final TorqueSite site;
    private final Runner runner;
    private final Supplier<Answer<TorqueFeatures>> features;

    /** {@code 12.server}, {@code 12[3].server}, or {@code 12-3.server} in old versions. */
    private static final Pattern ID = Pattern.compile("\\d+(\\[\\d*]|-\\d+)?(\\.[\\w.-]+)?");

    public JobLookup(final TorqueSite site, final Runner runner, final Supplier<Answer<TorqueFeatures>> features) {
        this.site = site;
        this.runner = runner;
        this.features = features;
    }

    public Answer<List<TorqueJob>> byIds(final List<String> ids) {
        return features.get().then(known -> runner.run(JobQuery.of(site, known, ids)));
    }

    /** Returns the job of this key if it has not completed. */
    public Answer<TorqueJob> find(final JobKey key) {
        // qstat takes anything else for a queue or for a job of another server (12.vm@other).
        return ID.matcher(key.id().local()).matches() ? found(key) : unknown(key);
    }

    /**
     * Returns the reported job of this key. If array tasks are listed, the key of an array means its waiting tasks.
     *
     * @param control determines the state of waiting tasks
     */
    public Answer<ReportedJob> reported(
            final JobKey key, final Control control, final WaitingArrayTasks tasks, final Instant now) {
        final boolean array = PbsId.in(key.id().local()).filter(PbsId::isArray).isPresent();
        return features.get()
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
                "job " + key.id().local() + " submitted at " + key.submittedAt() + " not found on " + site.cluster());
    }

    /** The working directory of the job: that of its attempt, if it has one, else the one that it was submitted from. */
    public Answer<Path> directory(final JobKey job) {
        return find(job).then(seen -> {
            final Map<String, String> variables = seen.variables();
            final String tagged = JobVariables.decode(variables.getOrDefault(JobVariables.DIRECTORY, ""));
            final String stated = seen.object().get("init_work_dir", variables.getOrDefault("PBS_O_WORKDIR", ""));
            final String directory = tagged.isEmpty() ? stated : tagged;
            return directory.startsWith("/")
                    ? Answer.ok(Path.of(directory))
                    : wrongState(seen, "has no working directory");
        });
    }

    public <T> Answer<T> wrongState(final TorqueJob job, final String reason) {
        return trouble(Answer.Kind.WRONG_STATE, job, reason);
    }

    public <T> Answer<T> trouble(final Answer.Kind kind, final TorqueJob job, final String reason) {
        return Answer.trouble(kind, "job " + new JobId(site.cluster(), job.localId()) + " " + reason);
    }
}
