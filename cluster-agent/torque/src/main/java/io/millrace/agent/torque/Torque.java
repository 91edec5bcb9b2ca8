package io.millrace.agent.torque;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.AccountingEvents;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.torque.accounting.AttemptLookup;
import io.millrace.agent.torque.accounting.AttemptRegistry;
import io.millrace.agent.torque.accounting.EndedRuns;
import io.millrace.agent.torque.command.ArrayStarts;
import io.millrace.agent.torque.command.CheckpointAndVacate;
import io.millrace.agent.torque.command.Holds;
import io.millrace.agent.torque.command.JobStarts;
import io.millrace.agent.torque.command.RunningJobCommands;
import io.millrace.agent.torque.command.Submissions;
import io.millrace.agent.torque.command.TorqueCommand;
import io.millrace.agent.torque.query.ClusterSnapshot;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.JobQuery;
import io.millrace.agent.torque.query.JobStates;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.NodeQuery;
import io.millrace.agent.torque.query.QueueQuery;
import io.millrace.agent.torque.query.ReportedJob;
import io.millrace.agent.torque.query.ServerQuery;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.torque.query.WaitingArrayTasks;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.EventFile;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.StartedTasks;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.UserCommand;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.ArrayCommands;
import io.millrace.agent.wlm.capability.ArrayStarting;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.EventPublishing;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.NativeCheckpointing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.command.DryRunResult;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The adapter of one OpenPBS 2.3 or Torque cluster. Each command first looks up the job, because ids are reused and some commands
 * report success without an effect.
 */
public final class Torque
        implements WorkloadManager,
                ArrayCommands,
                ArrayStarting,
                Moving,
                Holding,
                Requeueing,
                Suspending,
                Signalling,
                ApplicationCheckpointing,
                NativeCheckpointing,
                Accounting,
                AttemptFinding,
                Altering,
                DryRunning,
                ControlSwitching,
                EventPublishing {

    private final TorqueSite site;
    private final Runner runner;
    private final Clock clock;
    private final Preconditions preconditions;
    private final JobLookup jobs;
    private final Holds holds;
    private final WaitingArrayTasks tasks;
    private final JobStarts starts;
    private final ArrayStarts arrays;
    private final RunningJobCommands running;
    private final AttemptRegistry tags;
    private final Submissions submissions;
    private final EndedRuns ends;
    private final AttemptLookup finds;
    private final CheckpointAndVacate parking;
    private volatile @Nullable TorqueFeatures features;

    /** @param nonces unpredictable words of letters and digits, a new one for each call */
    public Torque(final TorqueSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.preconditions = new Preconditions(site);
        this.jobs = new JobLookup(site, runner, this::features);
        this.holds = new Holds(site, runner, jobs);
        this.tasks = new WaitingArrayTasks(site.cluster());
        this.starts = new JobStarts(site, runner, jobs, holds, clock);
        this.arrays = new ArrayStarts(site.cluster(), starts);
        this.running = new RunningJobCommands(site, runner, jobs, holds);
        this.tags = new AttemptRegistry(site.cluster(), site.tags(), clock.instant());
        this.submissions = new Submissions(site, runner, jobs, holds, tags, nonces, this::features);
        this.ends = new EndedRuns(site, runner, jobs, tags, clock);
        this.finds = new AttemptLookup(site, runner, tags, this::features);
        this.parking = new CheckpointAndVacate(site, runner, jobs, holds, clock);
    }

    @Override
    public String version() {
        return features().map(TorqueFeatures::name).get();
    }

    /** The features of the installed version. Detected once, and again after an unreadable answer. */
    private Answer<TorqueFeatures> features() {
        final TorqueFeatures known = features;
        if (known != null) {
            return Answer.ok(known);
        }
        final Answer<TorqueFeatures> found = TorqueFeatures.of(site, runner);
        if (found instanceof Answer.Ok<TorqueFeatures> ok) {
            features = ok.value();
        }
        return found;
    }

    @Override
    public Answer<Observation> observe() {
        final Instant at = clock.instant();
        final Answer<Observation> seen = features()
                .then(known -> runner.run(new ServerQuery(site))
                        .then(server -> runner.run(JobQuery.all(site, known))
                                .then(queue -> runner.run(new NodeQuery(site, known.xml()))
                                        .then(nodes -> runner.run(new QueueQuery(site))
                                                .then(queues -> observation(at, server, queue, nodes, queues))))));
        if (seen instanceof Answer.Trouble<Observation> trouble && trouble.kind() == Answer.Kind.UNREADABLE) {
            features = null; // another version may have been installed
        }
        return seen;
    }

    private Answer<Observation> observation(
            final Instant at,
            final PbsObject server,
            final List<TorqueJob> queue,
            final List<PbsObject> nodes,
            final List<PbsObject> queues) {
        final Observation observation;
        try {
            observation = new ClusterSnapshot(site.cluster(), server, queue, nodes, queues, tasks).observation(at);
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of Torque: " + e.getMessage());
        }
        observation.jobs().forEach(job -> {
            final AttemptId attempt = job.attempt();
            if (attempt != null) {
                tags.record(job.job(), attempt, job.owner());
            }
        });
        return Answer.ok(observation);
    }

    @Override
    public Map<Capability, String> withheld() {
        return preconditions.withheld();
    }

    @Override
    public Map<Capability, String> remarks() {
        return preconditions.remarks();
    }

    @Override
    public List<EventFile> eventFiles() {
        return runner.isHere() ? List.of(AccountingEvents.in(site.accounting(), site.zone())) : List.of();
    }

    @Override
    public Answer<JobKey> submit(final Submission submission) {
        return submissions.submit(submission);
    }

    @Override
    public UserCommand submit(final UserArray array) {
        return submissions.submit(array);
    }

    @Override
    public Answer<DryRunResult> dryRun(final Submission submission) {
        return submissions.dryRun(submission);
    }

    @Override
    public Answer<Accepted> cancel(final JobKey job) {
        return control()
                .then(control -> reported(job, control))
                .then(seen -> runner.run(
                        TorqueCommand.delete(site, seen.key(site.cluster()).id().local())));
    }

    private Answer<ReportedJob> reported(final JobKey job, final Control control) {
        return jobs.reported(job, control, tasks, clock.instant());
    }

    @Override
    public Answer<Accepted> start(final JobKey job) {
        return features()
                .then(known -> control()
                        .then(control -> reported(job, control)
                                .then(seen -> starts.start(seen.job().key(site.cluster()), control, known))));
    }

    @Override
    public Answer<StartedTasks> start(final JobKey array, final String indices) {
        return features()
                .then(known -> control()
                        .then(control -> reported(array, control)
                                .then(seen -> arrays.start(array, seen, indices, control, known))));
    }

    @Override
    public Answer<Accepted> start(final JobKey job, final PartitionName partition) {
        return features()
                .then(known -> control()
                        .then(control -> reported(job, control)
                                .then(seen ->
                                        starts.start(seen.job().key(site.cluster()), partition, control, known))));
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
        return each(job, (seen, control) -> holds.hold(seen, kind, control, why));
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return each(job, (seen, control) -> holds.release(seen, kind, control));
    }

    /** Applies a command to the job, or to each waiting task of an array until the first error. */
    private Answer<Accepted> each(final JobKey job, final BiFunction<TorqueJob, Control, Answer<Accepted>> order) {
        return control()
                .then(control -> reported(job, control).then(seen -> {
                    Answer<Accepted> last = Answer.ok(new Accepted("nothing to do"));
                    for (final TorqueJob one : seen.all()) {
                        last = last.then(done -> order.apply(one, control));
                    }
                    return last;
                }));
    }

    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return control()
                .then(control ->
                        control == Control.DIRECTED ? running.requeueHeld(job, why) : running.requeue(job, why));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return running.requeueHeld(job, why);
    }

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return running.suspend(job);
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return running.resume(job);
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        return running.signal(job, signal);
    }

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration walltime) {
        return each(
                job,
                (seen, control) ->
                        runner.run(TorqueCommand.walltime(site, PbsDuration.write(walltime), seen.localId())));
    }

    /** The cores of a job are those of its list of nodes, whose layout only its owner knows. */
    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        if (name == null || cores != null) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "Torque cannot change the cores of job " + job.id() + "; stop it and submit it again");
        }
        return each(
                job,
                (seen, control) -> JobStates.of(seen, control).isWaiting()
                        ? runner.run(TorqueCommand.name(site, JobVariables.shortName(name), seen.localId()))
                        : jobs.wrongState(seen, "is not pending"));
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return partition.value().indexOf('@') >= 0
                ? Answer.trouble(
                        Answer.Kind.REJECTED,
                        "'" + partition + "' is a queue of another server; use a queue of this server")
                : each(
                        job,
                        (seen, control) -> JobStates.of(seen, control).isWaiting()
                                ? runner.run(TorqueCommand.move(site, partition.value(), seen.localId()))
                                : jobs.wrongState(seen, "is not pending"));
    }

    @Override
    public Answer<VacatedJob> checkpointAndVacate(final JobKey job, final Duration grace) throws InterruptedException {
        return parking.run(job, grace);
    }

    @Override
    public Answer<Path> directory(final JobKey job) {
        return jobs.directory(job);
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> keys) {
        return features()
                .then(known -> ends.of(keys.stream()
                        .filter(key -> !known.listsArrayTasks() || !isArray(key))
                        .toList()));
    }

    /** If tasks are listed, each ends under its own id, including tasks deleted while waiting. */
    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return features().map(known -> known.listsArrayTasks() ? Set.copyOf(arrays) : Set.of());
    }

    private static boolean isArray(final JobKey key) {
        return PbsId.in(key.id().local()).filter(PbsId::isArray).isPresent();
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return ends.since(since);
    }

    @Override
    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        return finds.find(owners);
    }

    @Override
    public Answer<Control> control() {
        return runner.run(new ServerQuery(site)).map(ServerQuery::control);
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return runner.run(TorqueCommand.scheduling(site, next == Control.NATIVE))
                .then(switched -> next == Control.DIRECTED
                        ? Answer.ok(switched)
                        : features()
                                .then(known -> runner.run(JobQuery.all(site, known)))
                                .then(holds::releaseAllEntryHolds));
    }
}
