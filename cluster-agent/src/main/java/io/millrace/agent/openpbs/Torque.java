package io.millrace.agent.openpbs;

import io.millrace.agent.pbs.AccountingEvents;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.script.Handing;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Accounting;
import io.millrace.agent.wlm.Altering;
import io.millrace.agent.wlm.Announcing;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Checkpointing;
import io.millrace.agent.wlm.Controlled;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.EventFile;
import io.millrace.agent.wlm.Finding;
import io.millrace.agent.wlm.Holding;
import io.millrace.agent.wlm.NativeCheckpointing;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Rehearsing;
import io.millrace.agent.wlm.Requeueing;
import io.millrace.agent.wlm.Run;
import io.millrace.agent.wlm.Runner;
import io.millrace.agent.wlm.Signalling;
import io.millrace.agent.wlm.Starting;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.Suspending;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.command.Rehearsal;
import io.millrace.script.Wlm;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One OpenPBS 2.3 or Torque cluster behind the port. Every order looks at the job first: ids are reused, and much is "done" in silence. */
public final class Torque
        implements WorkloadManager,
                Starting,
                Holding,
                Requeueing,
                Suspending,
                Signalling,
                Checkpointing,
                NativeCheckpointing,
                Accounting,
                Finding,
                Altering,
                Rehearsing,
                Controlled,
                Announcing {

    private final TorqueSite site;
    private final Runner runner;
    private final Clock clock;
    private final Supplier<String> nonces;
    private final JobLookup jobs;
    private final Holds holds;
    private final WaitingTasks tasks;
    private final Starts starts;
    private final TagBook tags;
    private final EndedRuns ends;
    private final Parking parking;
    private volatile @Nullable Dialect dialect;

    /** @param nonces words that nobody can guess, letters and digits only, another one each time */
    public Torque(final TorqueSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.nonces = nonces;
        this.jobs = new JobLookup(site, runner, this::dialect);
        this.holds = new Holds(site, runner, jobs);
        this.tasks = new WaitingTasks(site.cluster());
        this.starts = new Starts(site, runner, jobs, holds, clock);
        this.tags = new TagBook(site.cluster(), site.tags(), clock.instant());
        this.ends = new EndedRuns(site, runner, jobs, tags, clock);
        this.parking = new Parking(site, runner, jobs, holds, clock);
    }

    // ---- the picture

    @Override
    public String version() {
        return dialect().map(known -> known.product() + " " + known.version()).get();
    }

    /** What the installed version can do; asked once, and again after an answer that could not be read. */
    private Answer<Dialect> dialect() {
        final Dialect known = dialect;
        if (known != null) {
            return Answer.ok(known);
        }
        final Answer<Dialect> found = Dialect.of(site, runner);
        if (found instanceof Answer.Ok<Dialect> ok) {
            dialect = ok.value();
        }
        return found;
    }

    @Override
    public Answer<Observation> observe() {
        final Instant at = clock.instant();
        final Answer<Observation> seen = dialect()
                .then(known -> runner.run(new ServerQuery(site))
                        .then(server -> runner.run(JobQuery.all(site, known))
                                .then(queue -> runner.run(new NodeQuery(site, known.xml()))
                                        .then(nodes -> runner.run(new QueueQuery(site))
                                                .map(queues -> picture(at, server, queue, nodes, queues))))));
        if (seen instanceof Answer.Trouble<Observation> trouble && trouble.kind() == Answer.Kind.UNREADABLE) {
            dialect = null; // another version may have been installed
        }
        return seen;
    }

    private Observation picture(
            final Instant at,
            final PbsObject server,
            final List<QueuedJob> queue,
            final List<PbsObject> nodes,
            final List<PbsObject> queues) {
        final Picture picture = new Picture(site.cluster(), server, queue, nodes, queues, tasks);
        final Observation seen = picture.at(at);
        seen.jobs().forEach(job -> {
            final AttemptId attempt = job.attempt();
            if (attempt != null) {
                tags.note(job.job(), attempt);
            }
        });
        return seen;
    }

    @Override
    public Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        if (!site.checkpoints()) {
            withheld.put(
                    Capability.NATIVE_CHECKPOINT,
                    "whether the nodes can save jobs cannot be asked of the server, which says yes to everything; where BLCR or a"
                            + " $checkpoint_script of pbs_mom is set up, say millrace.agent.openpbs.checkpoints=true");
        }
        withheld.put(
                Capability.TIER,
                "OpenPBS and Torque have no preemptible tier; the quota service preempts directly, by requeue and start");
        withheld.put(
                Capability.LIMIT,
                "OpenPBS and Torque keep no limit per user beyond which work is preemptible; the quota service keeps it itself");
        return withheld;
    }

    @Override
    public Map<Capability, String> remarks() {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "qrun asks nobody whether a job fits: each start names hosts that have the free cores, and tasks of arrays are"
                        + " started one by one; Maui or Moab must not run beside directed control");
        remarks.put(
                Capability.SUSPEND,
                "a suspended job keeps its cores: the server gives them to nobody else until it ends");
        remarks.put(
                Capability.SIGNAL,
                "jobs handed in by Millrace hear any signal; in others the login shell hears it too, and ends the job if it does"
                        + " not trap it");
        remarks.put(
                Capability.REQUEUE, "the walltime starts anew with each run; a job of qsub -r n cannot be put back");
        return remarks;
    }

    @Override
    public List<EventFile> eventFiles() {
        return runner.isHere() ? List.of(AccountingEvents.in(site.accounting(), site.zone())) : List.of();
    }

    // ---- submission

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        return command(submission)
                .then(qsub -> runner.as(submission.owner()).run(qsub))
                .then(id -> accepted(id, takenOver(id, submission)));
    }

    @Override
    public Answer<Rehearsal> rehearse(final Submission submission) {
        return command(submission)
                .then(qsub -> qsub.handing().rehearsal(qsub.argv(), qsub.script(), runner.as(submission.owner())));
    }

    private Answer<Qsub> command(final Submission submission) {
        if (submission.owner().equals(UserName.of("root"))) {
            return Answer.trouble(Answer.Kind.DENIED, "jobs of root are never handed in; use an ordinary account");
        }
        return dialect().then(known -> {
            final Handing handing = Handing.of(Wlm.OPENPBS, known.abilities(), site.cluster(), submission);
            final Optional<String> refusal = handing.refusal();
            return refusal.isPresent()
                    ? Answer.trouble(Answer.Kind.REJECTED, refusal.get())
                    : runner.run(new NodeQuery(site, known.xml()))
                            .map(nodes -> new Qsub(site, submission, handing, largest(nodes), nonces.get()));
        });
    }

    private static int largest(final List<PbsObject> nodes) {
        return nodes.stream()
                .map(NodePicture::new)
                .mapToInt(NodePicture::cores)
                .max()
                .orElse(1);
    }

    /** Once qsub has said an id there is a job: what goes wrong afterwards must not read as "nothing was done". */
    private static Answer<JobKey> accepted(final String id, final Answer<JobKey> key) {
        return switch (key) {
            case Answer.Ok<JobKey> ok -> ok;
            case Answer.Trouble<JobKey> trouble ->
                Answer.trouble(Answer.Kind.TIMEOUT, "qsub accepted job " + id + ", but then: " + trouble.because());
        };
    }

    private Answer<JobKey> takenOver(final String id, final Submission submission) {
        return jobs.named(List.of(id)).then(found -> {
            final Optional<QueuedJob> job = JobQuery.named(found, id).stream().findFirst();
            if (job.isEmpty()) {
                return Answer.trouble(Answer.Kind.UNREADABLE, "qstat does not know it");
            }
            final JobKey key = job.get().key(site.cluster());
            tags.note(key, submission.attempt());
            return holds.takeOver(job.get()).map(held -> key);
        });
    }

    // ---- orders about one job

    @Override
    public Answer<Accepted> cancel(final JobKey job) {
        return control()
                .then(control -> jobs.shown(job, control, tasks, clock.instant()))
                .then(seen -> runner.run(
                        Order.delete(site, seen.key(site.cluster()).id().local())));
    }

    @Override
    public Answer<Accepted> start(final JobKey job) {
        return dialect()
                .then(known -> control()
                        .then(control -> jobs.shown(job, control, tasks, clock.instant())
                                .then(seen -> starts.start(seen.job().key(site.cluster()), control, known))));
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind) {
        return each(job, (seen, control) -> holds.hold(seen, kind, control));
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return each(job, (seen, control) -> holds.release(seen, kind, control));
    }

    /** An order about the waiting tasks of an array is one about each of them; the first that is refused ends it. */
    private Answer<Accepted> each(final JobKey job, final BiFunction<QueuedJob, Control, Answer<Accepted>> order) {
        return control()
                .then(control -> jobs.shown(job, control, tasks, clock.instant())
                        .then(seen -> {
                            Answer<Accepted> last = Answer.ok(new Accepted("nothing to do"));
                            for (final QueuedJob one : seen.all()) {
                                last = last.then(done -> order.apply(one, control));
                            }
                            return last;
                        }));
    }

    @Override
    public Answer<Accepted> requeue(final JobKey job) {
        return control()
                .then(control -> control == Control.DIRECTED
                        ? requeueHeld(job)
                        : running(job)
                                .then(seen -> holds.countRequeue(seen)
                                        .then(counted -> runner.run(Order.rerun(site, seen.localId())))));
    }

    /** Held first, else the local scheduler starts it again at once. */
    @Override
    public Answer<Accepted> requeueHeld(final JobKey job) {
        return running(job)
                .then(seen -> holds.holdForRequeue(seen).then(held -> switch (runner.run(
                        Order.rerun(site, seen.localId()))) {
                    case Answer.Ok<Accepted> ok -> ok;
                    case Answer.Trouble<Accepted> trouble ->
                        // After a time-out nobody knows whether it was done: then the hold stays, for it may wait.
                        trouble.kind() == Answer.Kind.TIMEOUT || trouble.kind() == Answer.Kind.DOWN
                                ? trouble
                                : holds.undo(seen).then(undone -> trouble);
                }));
    }

    private Answer<QueuedJob> running(final JobKey job) {
        return jobs.look(job).then(seen -> {
            if (!seen.letter().matches("[RS]")) {
                return jobs.wrong(seen, "does not run, it is in state " + seen.letter());
            }
            return seen.isRerunnable()
                    ? Answer.ok(seen)
                    : jobs.wrong(seen, "may not be put back: its owner handed it in with qsub -r n");
        });
    }

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return jobs.look(job)
                .then(seen -> seen.letter().equals("R")
                        ? runner.run(Order.signal(site, "suspend", seen.localId()))
                        : jobs.wrong(seen, "does not run"));
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return jobs.look(job)
                .then(seen -> seen.letter().equals("S")
                        ? runner.run(Order.signal(site, "resume", seen.localId()))
                        : jobs.wrong(seen, "is not suspended"));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        if (!signal.matches("[A-Z][A-Z0-9+-]{1,15}")) {
            return Answer.trouble(
                    Answer.Kind.REJECTED, "'" + signal + "' is no signal; write its name without SIG, e.g. USR1");
        }
        return jobs.look(job)
                .then(seen -> seen.letter().equals("R") ? signal(seen, signal) : jobs.wrong(seen, "does not run"));
    }

    /** A job of Millrace's hears by its own script which signal is meant; see {@link Listening}. */
    private Answer<Accepted> signal(final QueuedJob job, final String signal) {
        final String directory = Tags.decode(job.variables().getOrDefault(Tags.DIRECTORY, ""));
        if (!directory.startsWith("/") || Tags.attempt(job.variables()) == null) {
            return runner.run(Order.signal(site, "SIG" + signal, job.localId()));
        }
        final Path note = Path.of(directory).resolve(Listening.signalFile(job.localId()));
        return runner.as(UserName.of(job.owner()))
                .run(new SignalNote(note, signal))
                .then(noted -> runner.run(Order.signal(site, "SIGURG", job.localId())));
    }

    @Override
    public Answer<Accepted> walltime(final JobKey job, final Duration walltime) {
        return each(
                job, (seen, control) -> runner.run(Order.walltime(site, PbsDuration.write(walltime), seen.localId())));
    }

    @Override
    public Answer<Parked> park(final JobKey job, final Duration grace) throws InterruptedException {
        return parking.park(job, grace);
    }

    // ---- questions about jobs

    @Override
    public Answer<Path> directory(final JobKey job) {
        return jobs.look(job).then(seen -> {
            final Map<String, String> variables = seen.variables();
            final String tagged = Tags.decode(variables.getOrDefault(Tags.DIRECTORY, ""));
            final String stated = seen.told().get("init_work_dir", variables.getOrDefault("PBS_O_WORKDIR", ""));
            final String directory = tagged.isEmpty() ? stated : tagged;
            return directory.startsWith("/")
                    ? Answer.ok(Path.of(directory))
                    : jobs.wrong(seen, "does not say in which directory it runs");
        });
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> keys) {
        return dialect()
                .then(known -> ends.of(keys.stream()
                        .filter(key -> !known.tasks() || !isArray(key))
                        .toList()));
    }

    /** Where tasks are listed each ends under its own id, those that were deleted while they waited, too. */
    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return dialect().map(known -> known.tasks() ? Set.copyOf(arrays) : Set.of());
    }

    private static boolean isArray(final JobKey key) {
        return PbsId.in(key.id().local()).filter(PbsId::isArray).isPresent();
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return ends.since(since);
    }

    @Override
    public Answer<List<Found>> find(final AttemptId attempt) {
        return dialect().then(known -> runner.run(JobQuery.all(site, known))).map(queue -> {
            final Map<JobKey, Found> found = new LinkedHashMap<>();
            tags.jobs(attempt).forEach(key -> found.put(key, new Found(key, true)));
            for (final QueuedJob job : queue) {
                if (attempt.equals(Tags.attempt(job.variables()))) {
                    final JobKey key = job.key(site.cluster());
                    found.put(key, new Found(key, job.isCompleted()));
                }
            }
            return found.values().stream()
                    .sorted(Comparator.comparing((Found one) -> one.job().submitted())
                            .thenComparing(one -> one.job().toString()))
                    .toList();
        });
    }

    // ---- control

    @Override
    public Answer<Control> control() {
        return runner.run(new ServerQuery(site)).map(ServerQuery::control);
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return runner.run(Order.scheduling(site, next == Control.NATIVE))
                .then(switched -> next == Control.DIRECTED
                        ? Answer.ok(switched)
                        : dialect()
                                .then(known -> runner.run(JobQuery.all(site, known)))
                                .then(holds::releaseAllAtTheGate));
    }
}
