package io.millrace.agent.slurm;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.accounting.AttemptLookup;
import io.millrace.agent.slurm.accounting.RecentlyEndedJobs;
import io.millrace.agent.slurm.accounting.RunLookup;
import io.millrace.agent.slurm.accounting.UsageLookup;
import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.ControlFile;
import io.millrace.agent.slurm.command.Scancel;
import io.millrace.agent.slurm.command.Scontrol;
import io.millrace.agent.slurm.command.Scontrol.Verb;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.qos.QosNames;
import io.millrace.agent.slurm.qos.UserQos;
import io.millrace.agent.slurm.query.ArrayThrottles;
import io.millrace.agent.slurm.query.JobListing;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.LicenceQuery;
import io.millrace.agent.slurm.query.MaintenanceQuery;
import io.millrace.agent.slurm.query.NodeQuery;
import io.millrace.agent.slurm.query.PartitionQuery;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.StablePriorities;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.slurm.query.VersionQuery;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.EventFile;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ReadJobs;
import io.millrace.agent.wlm.RunningJobGuard;
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
import io.millrace.agent.wlm.capability.ConditionReporting;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.EventPublishing;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.DryRunResult;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The workload manager adapter for one Slurm cluster. Every change queries the job first: Slurm reuses job ids, and its commands
 * report success for changes that had no effect.
 */
public final class Slurm
        implements WorkloadManager,
                ArrayCommands,
                ArrayStarting,
                Moving,
                PartitionChoosing,
                Holding,
                Requeueing,
                Suspending,
                Signalling,
                ApplicationCheckpointing,
                DryRunning,
                Altering,
                Tiering,
                Limiting,
                Accounting,
                AttemptFinding,
                ControlSwitching,
                EventPublishing,
                ConditionReporting {

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private final Supplier<String> nonces;
    private final Submissions submissions;
    private final JobLookup jobs;
    private final RunningJobGuard<QueuedJob> guard;
    private final Holds holds;
    private final Requeues requeues;
    private final ArrayStarts arrays;
    private final PartitionMoves moves;
    private final JobUpdate updates;
    private final UserQos qos;
    private final UsageLookup usage;
    private final StablePriorities priorities = new StablePriorities();
    private final ArrayThrottles throttles = new ArrayThrottles();

    /** @param nonces supplies a new unguessable string of letters and digits on each call */
    public Slurm(final SlurmSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.nonces = nonces;
        this.jobs = new JobLookup(site, runner, nonces);
        this.submissions = new Submissions(site, runner, jobs, nonces);
        this.guard = new RunningJobGuard<>(jobs::current, JobStates::of, jobs::wrongState);
        this.holds = new Holds(site, runner, clock, jobs);
        this.requeues = new Requeues(site, runner, jobs);
        this.arrays = new ArrayStarts(runner, jobs, holds);
        this.moves = new PartitionMoves(site, runner, clock, jobs, holds);
        this.updates = new JobUpdate(site, runner, clock, jobs);
        this.qos = new UserQos(site, runner, nonces, jobs);
        this.usage = new UsageLookup(site, runner, clock);
    }

    // ---- observation

    @Override
    public String version() {
        return switch (runner.run(new VersionQuery(site))) {
            case Answer.Ok<String> ok -> ok.value();
            case Answer.Trouble<String> trouble -> "slurm, unknown version: " + trouble.reason();
        };
    }

    @Override
    public Answer<Observation> observe() {
        final Instant at = clock.instant();
        return control()
                .then(control -> queue(control)
                        .then(jobs -> runner.run(new NodeQuery(site, nonces.get()))
                                .then(nodes -> runner.run(new PartitionQuery(site))
                                        .map(partitions ->
                                                observation(at, control, read(jobs, at), nodes, partitions)))));
    }

    private Observation observation(
            final Instant at,
            final Control control,
            final ReadJobs read,
            final List<NodeObserved> nodes,
            final List<PartitionObserved> partitions) {
        return new Observation(at, control, priorities.stabilize(read.jobs()), nodes, partitions, read.unreadable());
    }

    /** The queue. Under directed control, jobs that lack the entry hold are held first. */
    private Answer<List<QueuedJob>> queue(final Control control) {
        final JobListing listing = new JobListing(site, runner, nonces);
        return listing.queue().then(jobs -> {
            final List<ChangeCommand> commands =
                    control == Control.DIRECTED ? EntryHolds.missing(site, jobs) : List.of();
            if (commands.isEmpty()) {
                return Answer.ok(jobs);
            }
            // A command that fails now, for example because the job has just ended, is retried at the next observation.
            EntryHolds.execute(runner, commands);
            return listing.queue();
        });
    }

    private ReadJobs read(final List<QueuedJob> jobs, final Instant at) {
        final ReadJobs read = ReadJobs.of(
                jobs.stream().filter(job -> !JobStates.isEnded(job)).toList(),
                QueuedJob::localId,
                job -> JobObservation.of(site.cluster(), job, at));
        final Set<String> merged =
                jobs.stream().filter(QueuedJob::merged).map(QueuedJob::localId).collect(Collectors.toSet());
        return new ReadJobs(throttles.complete(read.jobs(), merged), read.unreadable());
    }

    @Override
    public Answer<ClusterConditions> conditions() {
        return runner.run(new LicenceQuery(site))
                .then(licences -> runner.run(new MaintenanceQuery(site))
                        .map(windows -> new ClusterConditions(site.cluster(), null, licences, windows)));
    }

    /** The completion log. Each ended run adds a line if {@code jobcomp.lua} is installed. */
    @Override
    public List<EventFile> eventFiles() {
        return runner.isHere()
                ? List.of(EventFile.of(
                        "millrace.ends",
                        site.completionLog(),
                        "grant the agent's account read access: setfacl -m u:millrace:r " + site.completionLog()))
                : List.of();
    }

    // ---- submission

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

    // ---- changes to one job

    @Override
    public Answer<Accepted> cancel(final JobKey job) {
        return jobs.wholeJobId(job).then(target -> runner.run(new Scancel(site, target, null)));
    }

    @Override
    public Answer<Accepted> start(final JobKey job) {
        return holds.start(job);
    }

    /** The controller chooses the nodes. */
    @Override
    public boolean startsTogether() {
        return true;
    }

    @Override
    public Answer<StartedTasks> start(final JobKey array, final String indices) {
        return arrays.start(array, indices);
    }

    @Override
    public Answer<Accepted> start(final JobKey job, final PartitionName partition) {
        return moves.start(job, partition);
    }

    @Override
    public Answer<Accepted> setPartitions(final JobKey job, final List<PartitionName> partitions) {
        return moves.setPartitions(job, partitions);
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
        return holds.hold(job, kind, why);
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return control().then(control -> holds.release(job, kind, control));
    }

    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return control()
                .then(control ->
                        control == Control.DIRECTED ? requeues.requeueHeld(job, why) : requeues.requeue(job, why));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return requeues.requeueHeld(job, why);
    }

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return guard.ifRunning(job, seen -> scontrol(Verb.SUSPEND, seen));
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return guard.ifSuspended(job, seen -> scontrol(Verb.RESUME, seen));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        return guard.ifSignalValid(job, signal, seen -> runner.run(new Scancel(site, TargetId.of(seen), signal)));
    }

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration walltime) {
        return updates.set(job, walltime);
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return moves.setPartitions(job, List.of(partition));
    }

    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        return updates.alterPending(job, name, cores);
    }

    @Override
    public Answer<Accepted> setTier(final JobKey job, final Tier tier) {
        return qos.setTier(job, tier);
    }

    @Override
    public Map<JobKey, Answer<Accepted>> setTiers(final Map<JobKey, Tier> tiers) {
        return qos.setTiers(tiers);
    }

    // ---- what Slurm enforces itself

    @Override
    public Answer<Accepted> setLimit(final UserName user, final @Nullable Integer cores) {
        return qos.setLimit(user, cores);
    }

    @Override
    public Answer<Map<UserName, Integer>> limits() {
        return qos.limits();
    }

    @Override
    public Answer<Boolean> isLimitSet(final UserName user, final @Nullable Integer cores) {
        return qos.isLimitSet(user, cores);
    }

    @Override
    public Map<Capability, String> withheld() {
        return SlurmSetup.read(site, runner).withheld();
    }

    @Override
    public Map<Capability, String> remarks() {
        return SlurmSetup.read(site, runner).remarks(new QosNames(site.cluster()));
    }

    // ---- queries about jobs

    @Override
    public Answer<Path> directory(final JobKey job) {
        return jobs.current(job).map(seen -> Path.of(seen.cell("workdir")));
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> jobs) {
        return new RunLookup(site, runner, nonces).of(jobs).map(usage::complete);
    }

    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return new RunLookup(site, runner, nonces).dissolved(arrays);
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return new RecentlyEndedJobs(site, runner, nonces).since(since).map(usage::completeJobs);
    }

    @Override
    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        return new AttemptLookup(site, runner, nonces).find(owners);
    }

    // ---- control

    @Override
    public Answer<Control> control() {
        return runner.run(new ControlFile.Read(site));
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return runner.run(new ControlFile.Locate(site))
                .then(file -> runner.run(new ControlFile.Write(file, next))
                        .then(written -> runner.run(new ControlFile.Publish(file))))
                .then(published -> next == Control.NATIVE ? holds.releaseEntryHolds(nonces) : Answer.ok(published));
    }

    private Answer<Accepted> scontrol(final Verb verb, final QueuedJob job) {
        return runner.run(Scontrol.of(site, verb, TargetId.of(job)));
    }
}
