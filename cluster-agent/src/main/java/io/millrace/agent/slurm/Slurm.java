package io.millrace.agent.slurm;

import io.millrace.agent.slurm.Scontrol.Verb;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Accounting;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Checkpointing;
import io.millrace.agent.wlm.Controlled;
import io.millrace.agent.wlm.Finding;
import io.millrace.agent.wlm.Holding;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Requeueing;
import io.millrace.agent.wlm.Run;
import io.millrace.agent.wlm.Runner;
import io.millrace.agent.wlm.Signalling;
import io.millrace.agent.wlm.Starting;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.Suspending;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.AttemptId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** One Slurm cluster behind the port. Every order looks at the job first: ids are reused, and Slurm says "done" to much. */
public final class Slurm
        implements WorkloadManager, Starting, Holding, Requeueing, Suspending, Signalling, Checkpointing, Accounting, Finding,
                Controlled {

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private final Supplier<String> nonces;

    /** @param nonces words that nobody can guess, letters and digits only, another one each time */
    public Slurm(final SlurmSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.nonces = nonces;
    }

    // ---- the picture

    @Override
    public String version() {
        return runner.run(new VersionQuery(site)).get();
    }

    @Override
    public Answer<Observation> observe() {
        final Instant at = clock.instant();
        return control().then(control -> queue(control).then(jobs -> runner.run(new NodeQuery(site, nonces.get()))
                .then(nodes -> runner.run(new PartitionQuery(site))
                        .map(partitions -> new Observation(at, control, pictures(jobs, at), nodes, partitions)))));
    }

    /** The queue; under directed control after the gate has been shut behind what slipped past it. */
    private Answer<List<QueuedJob>> queue(final Control control) {
        return runner.run(JobQuery.queue(site, nonces.get())).then(jobs -> {
            final List<Order> orders = control == Control.DIRECTED ? EntryGate.toShut(site, jobs) : List.of();
            if (orders.isEmpty()) {
                return Answer.ok(jobs);
            }
            // What could not be done now (a job just ended, say) is asked for again with the next picture.
            EntryGate.carryOut(runner, orders);
            return runner.run(JobQuery.queue(site, nonces.get()));
        });
    }

    private List<JobObserved> pictures(final List<QueuedJob> jobs, final Instant at) {
        return jobs.stream()
                .filter(job -> !JobStates.isEnded(job))
                .map(job -> JobPicture.of(site.cluster(), job, at))
                .toList();
    }

    // ---- submission

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        for (final String name : submission.spec().environment().keySet()) {
            if (!JobScript.isName(name)) {
                return Answer.trouble(
                        Answer.Kind.REJECTED,
                        "'" + name + "' cannot be a variable of a job; use letters, digits and underscores, no digit first");
            }
        }
        return runner.as(submission.owner())
                .run(new Sbatch(site, submission, nonces.get()))
                .then(id -> accepted(id, marked(id)));
    }

    /** Once sbatch has said an id there is a job: what goes wrong afterwards must not read as "nothing was done". */
    private static Answer<JobKey> accepted(final String id, final Answer<JobKey> key) {
        return switch (key) {
            case Answer.Ok<JobKey> ok -> ok;
            case Answer.Trouble<JobKey> trouble ->
                Answer.trouble(Answer.Kind.TIMEOUT, "sbatch accepted job " + id + ", but then: " + trouble.because());
        };
    }

    /** The key of the job just handed in; marks it where the cluster has no gate that would have done so. */
    private Answer<JobKey> marked(final String id) {
        return rows(List.of(id)).then(rows -> {
            final QueuedJob job = rows.stream().filter(row -> row.localId().equals(id)).findFirst().orElse(null);
            if (job == null) {
                return Answer.trouble(Answer.Kind.UNREADABLE, "sbatch accepted job " + id + ", but squeue does not know it");
            }
            final JobKey key = job.key(site.cluster());
            return job.mark().isPresent()
                    ? Answer.ok(key)
                    : runner.run(Update.of(site, id, comment(job, Mark.SUBMISSION))).map(done -> key);
        });
    }

    // ---- orders about one job

    @Override
    public Answer<Accepted> cancel(final JobKey job) {
        return look(job).then(seen -> runner.run(new Scancel(site, seen.localId(), null)));
    }

    @Override
    public Answer<Accepted> start(final JobKey job) {
        return look(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Held held when held.by() != HoldKind.ENTRY -> wrong(seen, "is held by " + held.by() + ", not at the gate");
            case JobState.Held held -> letGo(seen, true);
            case JobState.Queued queued -> letGo(seen, true);
            case JobState.Running r -> wrong(seen, "runs already");
            case JobState.Suspended s -> wrong(seen, "is suspended; resume it");
            case JobState.Completing c -> wrong(seen, "is just leaving its nodes");
            case JobState.Unsettled u -> wrong(seen, "has ended");
            case JobState.Unknown u -> wrong(seen, "is in a state unknown here: " + u.code());
        });
    }

    /**
     * Marks first, releases then: cut off between the two, the job still waits at the gate. The begin time is set to now because a
     * requeue had put it two minutes ahead, or the gate far away.
     */
    private Answer<Accepted> letGo(final QueuedJob job, final boolean now) {
        if (JobPicture.beginsLater(job, clock.instant())) {
            return wrong(job, "is not to begin before " + job.instant("eligibletime") + ", its owner says");
        }
        final Update mark = Update.of(site, job.localId(), Mark.start(job.restarts(), job.submitted()).into(adminComment(job)));
        final boolean ahead = job.instant("eligibletime") instanceof Instant begin && begin.isAfter(clock.instant());
        return runner.run(now && ahead ? mark.beginningNow() : mark)
                .then(marked -> job.isHeld() ? scontrol(Verb.RELEASE, job) : Answer.ok(marked));
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind) {
        return look(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Held held when held.by() != kind -> wrong(seen, "is held by " + held.by() + " already");
            case JobState.Held held -> Answer.ok(new Accepted("held before"));
            case JobState.Queued queued -> runner.run(Update.of(site, seen.localId(), comment(seen, word(kind))).holding());
            case JobState.Running r -> notWaiting(seen);
            case JobState.Suspended s -> notWaiting(seen);
            case JobState.Completing c -> notWaiting(seen);
            case JobState.Unsettled u -> notWaiting(seen);
            case JobState.Unknown u -> notWaiting(seen);
        });
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return look(job).then(seen -> {
            if (!JobStates.of(seen).equals(new JobState.Held(kind))) {
                return wrong(seen, "is not held by " + kind + " but " + JobStates.of(seen));
            }
            return kind == HoldKind.SUBMISSION
                    ? control().then(control -> control == Control.DIRECTED
                            ? runner.run(Update.of(site, seen.localId(), comment(seen, Mark.ENTRY)))
                            : letGo(seen, false))
                    : letGo(seen, false);
        });
    }

    @Override
    public Answer<Accepted> requeue(final JobKey job) {
        return control().then(control -> control == Control.DIRECTED
                ? requeueHeld(job)
                : back(job, Mark.FREE, Verb.REQUEUE));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job) {
        return back(job, Mark.ENTRY, Verb.REQUEUEHOLD);
    }

    /** Marks the running job first, so that it is never seen waiting without its mark. */
    private Answer<Accepted> back(final JobKey job, final String word, final Verb verb) {
        return look(job).then(seen -> JobStates.of(seen) instanceof JobState.Running || JobStates.of(seen) instanceof JobState.Suspended
                ? runner.run(Update.of(site, seen.localId(), comment(seen, word))).then(marked -> scontrol(verb, seen))
                : wrong(seen, "does not run"));
    }

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return look(job).then(seen ->
                JobStates.of(seen) instanceof JobState.Running ? scontrol(Verb.SUSPEND, seen) : wrong(seen, "does not run"));
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return look(job).then(seen ->
                JobStates.of(seen) instanceof JobState.Suspended ? scontrol(Verb.RESUME, seen) : wrong(seen, "is not suspended"));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        if (!signal.matches("[A-Z][A-Z0-9+-]{1,15}")) {
            return Answer.trouble(Answer.Kind.REJECTED, "'" + signal + "' is no signal; write its name without SIG, e.g. USR1");
        }
        return look(job).then(seen -> JobStates.of(seen) instanceof JobState.Running
                ? runner.run(new Scancel(site, seen.localId(), signal))
                : wrong(seen, "does not run"));
    }

    // ---- questions about jobs

    @Override
    public Answer<Path> directory(final JobKey job) {
        return look(job).map(seen -> Path.of(seen.cell("workdir")));
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> jobs) {
        return new EndedRuns(site, runner).of(jobs, nonces.get());
    }

    @Override
    public Answer<List<Found>> find(final AttemptId attempt) {
        return runner.run(JobQuery.all(site, nonces.get()))
                .then(rows -> runner.run(EndsQuery.tagged(site, attempt)).map(ends -> found(attempt, rows, ends)));
    }

    private List<Found> found(final AttemptId attempt, final List<QueuedJob> rows, final List<EndedRun> ends) {
        final Map<JobKey, Found> found = new LinkedHashMap<>();
        for (final EndedRun end : ends) {
            final JobKey key = end.key(site.cluster());
            if (end.endsTheJob()) {
                found.put(key, new Found(key, true));
            }
        }
        for (final QueuedJob row : rows) {
            if (attempt.equals(JobPicture.attempt(row))) {
                final JobKey key = row.key(site.cluster());
                found.put(key, new Found(key, JobStates.isEnded(row)));
            }
        }
        return found.values().stream()
                .sorted(Comparator.comparing((Found one) -> one.job().submitted()).thenComparing(one -> one.job().toString()))
                .toList();
    }

    // ---- control

    @Override
    public Answer<Control> control() {
        return runner.run(new ControlFile.Read(site));
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return runner.run(new ControlFile.Write(site, next))
                .then(written -> runner.run(new ControlFile.Publish(site)))
                .then(published -> next == Control.NATIVE ? openTheGate() : Answer.ok(published));
    }

    private Answer<Accepted> openTheGate() {
        return runner.run(JobQuery.queue(site, nonces.get())).then(jobs -> {
            final List<String> held = new ArrayList<>();
            Answer<Accepted> last = Answer.ok(new Accepted("no job waited at the gate"));
            for (final QueuedJob job : jobs) {
                if (!job.isPending() || !JobStates.of(job).equals(new JobState.Held(HoldKind.ENTRY))) {
                    continue;
                }
                if (job.isHeld()) {
                    held.add(job.localId());
                } else {
                    last = letGo(job, true);
                }
            }
            for (final List<String> ids : EntryGate.toOpen(held)) {
                last = runner.run(new Scontrol(site, Verb.RELEASE, ids));
            }
            return last;
        });
    }

    // ---- common ground

    private Answer<List<QueuedJob>> rows(final List<String> ids) {
        return runner.run(JobQuery.of(site, ids, nonces.get()));
    }

    /** The job itself, not another one under its id, and not an ended one. */
    private Answer<QueuedJob> look(final JobKey key) {
        return rows(List.of(key.id().local())).then(rows -> {
            for (final QueuedJob row : rows) {
                if (row.key(site.cluster()).equals(key)) {
                    return JobStates.isEnded(row) ? wrong(row, "has ended: " + row.cell("state")) : Answer.ok(row);
                }
            }
            return Answer.trouble(
                    Answer.Kind.NO_SUCH_JOB,
                    "Slurm knows no job " + key.id().local() + " that was submitted at " + key.submitted() + " to " + site.cluster());
        });
    }

    private Answer<Accepted> scontrol(final Verb verb, final QueuedJob job) {
        return runner.run(Scontrol.of(site, verb, job.localId()));
    }

    private <T> Answer<T> wrong(final QueuedJob job, final String because) {
        return Answer.trouble(
                Answer.Kind.WRONG_STATE, "job " + new JobId(site.cluster(), job.localId()) + " " + because);
    }

    private <T> Answer<T> notWaiting(final QueuedJob job) {
        return wrong(job, "does not wait, it is " + job.cell("state"));
    }

    private static String adminComment(final QueuedJob job) {
        return job.cell("admin_comment");
    }

    private static String comment(final QueuedJob job, final String word) {
        return new Mark(word, job.submitted()).into(adminComment(job));
    }

    private static String word(final HoldKind kind) {
        return switch (kind) {
            case USER -> Mark.USER;
            case OPERATOR -> Mark.OPERATOR;
            case SUBMISSION -> Mark.SUBMISSION;
            case ENTRY -> Mark.ENTRY;
        };
    }
}
