package io.millrace.agent.pbspro;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.AccountingEvents;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbspro.accounting.AttemptLookup;
import io.millrace.agent.pbspro.accounting.EndedJobs;
import io.millrace.agent.pbspro.accounting.EndedRuns;
import io.millrace.agent.pbspro.command.ArrayStarts;
import io.millrace.agent.pbspro.command.CheckpointAndVacate;
import io.millrace.agent.pbspro.command.Holds;
import io.millrace.agent.pbspro.command.MarkResource;
import io.millrace.agent.pbspro.command.PbsCommand;
import io.millrace.agent.pbspro.command.QueueMoves;
import io.millrace.agent.pbspro.command.Requeues;
import io.millrace.agent.pbspro.command.ResizedSelect;
import io.millrace.agent.pbspro.command.SoftLimits;
import io.millrace.agent.pbspro.command.Submissions;
import io.millrace.agent.pbspro.query.ClusterSnapshot;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.JobStates;
import io.millrace.agent.pbspro.query.JobVariables;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsQueries;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.SchedulingControl;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.EventFile;
import io.millrace.agent.wlm.Observation;
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
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.EventPublishing;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.NativeCheckpointing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.DryRunResult;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The adapter of one PBS Pro or OpenPBS cluster. Each command first looks up the job, because ids are reused and PBS reports
 * success for some commands that have no effect.
 */
public final class PbsPro
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
                Altering,
                Tiering,
                Limiting,
                AttemptFinding,
                ControlSwitching,
                EventPublishing,
                DryRunning {

    private final PbsSite site;
    private final Runner runner;
    private final ClusterSnapshot snapshot;
    private final JobLookup jobs;
    private final RunningJobGuard<PbsJob> running;
    private final SchedulingControl gate;
    private final MarkResource marks;
    private final Holds holds;
    private final ArrayStarts arrays;
    private final QueueMoves moves;
    private final Requeues requeues;
    private final Submissions submissions;
    private final EndedRuns ends;
    private final EndedJobs endedJobs;
    private final AttemptLookup finds;
    private final SoftLimits limits;
    private final CheckpointAndVacate checkpoints;
    private final Preconditions preconditions;

    /** @param nonces unpredictable words of letters and digits, a new one for each call */
    public PbsPro(final PbsSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        final PbsQueries queries = new PbsQueries(site, runner);
        this.site = site;
        this.runner = runner;
        this.jobs = new JobLookup(site, queries);
        this.running = new RunningJobGuard<>(jobs::find, job -> JobStates.of(job, Control.NATIVE), jobs::wrongState);
        this.gate = new SchedulingControl(site, runner, queries);
        this.marks = new MarkResource(site, runner);
        this.snapshot = new ClusterSnapshot(site, queries, clock);
        this.holds = new Holds(site, runner, clock, jobs);
        this.arrays = new ArrayStarts(site, runner, jobs, holds);
        this.moves = new QueueMoves(site, runner, jobs, holds);
        this.requeues = new Requeues(site, runner, jobs, holds);
        this.submissions = new Submissions(site, runner, jobs, holds, marks, nonces, snapshot::version);
        this.ends = new EndedRuns(site, runner, queries, clock);
        this.endedJobs = new EndedJobs(site, runner, clock);
        this.finds = new AttemptLookup(site, runner, queries, clock);
        this.limits = new SoftLimits(site, runner, queries);
        this.checkpoints = new CheckpointAndVacate(site, runner, clock, jobs, holds);
        this.preconditions = new Preconditions(site, runner, queries, marks);
    }

    @Override
    public String version() {
        return snapshot.version();
    }

    @Override
    public Answer<Observation> observe() {
        return snapshot.observe();
    }

    @Override
    public Map<Capability, String> withheld() {
        return preconditions.withheld();
    }

    @Override
    public Map<Capability, String> remarks() {
        return preconditions.remarks();
    }

    /** The server's accounting log, and the file of the hook {@code deploy/pbs/millrace_events.py}. */
    @Override
    public List<EventFile> eventFiles() {
        final List<EventFile> files = new ArrayList<>();
        if (runner.isHere()) {
            Optional.ofNullable(site.accounting())
                    .ifPresent(folder -> files.add(AccountingEvents.in(folder, site.serverZone())));
            Optional.ofNullable(site.events())
                    .ifPresent(file -> files.add(EventFile.of(
                            "event hook",
                            file,
                            "give the agent read access (see deploy/pbs), or set"
                                    + " millrace.agent.pbs.events-file")));
        }
        return files;
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
        return jobs.find(job).then(seen -> runner.run(PbsCommand.delete(site, seen.id())));
    }

    @Override
    public Answer<Accepted> start(final JobKey job) {
        return gate.control().then(control -> holds.start(job, control));
    }

    @Override
    public Answer<StartedTasks> start(final JobKey array, final String indices) {
        return gate.control().then(control -> arrays.start(array, indices, control));
    }

    @Override
    public Answer<Accepted> start(final JobKey job, final PartitionName partition) {
        return gate.control().then(control -> moves.start(job, partition, control));
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
        return markable().then(yes -> gate.control()).then(control -> holds.hold(job, kind, control, why));
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return gate.control().then(control -> holds.release(job, kind, control));
    }

    /**
     * Under directed control the job also gets a hold if jobs can be marked. Without a hold, it waits because the scheduler is off.
     */
    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return gate.control()
                .then(control -> requeues.requeue(
                        job, control == Control.DIRECTED && marks.missing().isEmpty(), control, why));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return gate.control().then(control -> {
            final Answer<Accepted> may =
                    control == Control.NATIVE ? markable() : Answer.ok(new Accepted("no hold needed"));
            return may.then(yes -> requeues.requeue(job, marks.missing().isEmpty(), control, why));
        });
    }

    private Answer<Accepted> markable() {
        return marks.missing()
                .<Answer<Accepted>>map(reason -> Answer.trouble(Answer.Kind.DENIED, reason))
                .orElseGet(() -> Answer.ok(new Accepted("jobs can be marked")));
    }

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return running.ifRunning(job, seen -> runner.run(PbsCommand.signal(site, "suspend", seen.id())));
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return running.ifSuspended(job, seen -> runner.run(PbsCommand.signal(site, "resume", seen.id())));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        return running.ifSignalValid(
                job, signal, seen -> runner.run(PbsCommand.signal(site, "SIG" + signal, seen.id())));
    }

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration walltime) {
        return jobs.find(job)
                .then(seen ->
                        runner.run(PbsCommand.alterResource(site, "walltime", PbsDuration.write(walltime), seen.id())));
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return moves.set(job, partition);
    }

    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        return jobs.find(job).then(seen -> {
            if (!seen.isWaiting()) {
                return jobs.wrongState(seen, "is not pending");
            }
            if (cores == null) {
                return runner.run(PbsCommand.alter(site, name, null, seen.id()));
            }
            return ResizedSelect.of(seen.object().get("Resource_List.select", ""), cores)
                    .then(select -> runner.run(PbsCommand.alter(site, name, select, seen.id())));
        });
    }

    @Override
    public Answer<VacatedJob> checkpointAndVacate(final JobKey job, final Duration grace) throws InterruptedException {
        final Answer<Accepted> markable = markable();
        return markable instanceof Answer.Trouble<Accepted> trouble ? trouble.of() : checkpoints.run(job, grace);
    }

    /** PBS itself distinguishes guaranteed from borrowed work by the owner's soft limit. There is no tier to move a job to. */
    @Override
    public Answer<Accepted> setTier(final JobKey job, final Tier tier) {
        return jobs.find(job).map(seen -> unchanged(seen, tier));
    }

    @Override
    public Map<JobKey, Answer<Accepted>> setTiers(final Map<JobKey, Tier> tiers) {
        final Map<JobKey, Answer<Accepted>> answers = new LinkedHashMap<>();
        jobs.find(tiers.keySet())
                .forEach((job, found) -> answers.put(job, found.map(seen -> unchanged(seen, tiers.get(job)))));
        return answers;
    }

    private static Accepted unchanged(final PbsJob job, final @Nullable Tier tier) {
        return new Accepted(
                "unchanged: the soft limit of '" + job.owner() + "' determines which of this user's jobs are " + tier);
    }

    @Override
    public Answer<Accepted> setLimit(final UserName user, final @Nullable Integer cores) {
        return limits.limit(user, cores);
    }

    @Override
    public Answer<Map<UserName, Integer>> limits() {
        return limits.limits();
    }

    @Override
    public Answer<Path> directory(final JobKey job) {
        return jobs.find(job).then(seen -> {
            final String directory = JobVariables.of(seen.object(), "PBS_O_WORKDIR");
            return directory.startsWith("/")
                    ? Answer.ok(Path.of(directory))
                    : Answer.trouble(
                            Answer.Kind.UNREADABLE, "PBS does not report the submission directory of job " + job.id());
        });
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> keys) {
        return ends.of(keys);
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return endedJobs.since(since);
    }

    @Override
    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        return finds.find(owners);
    }

    @Override
    public Answer<Control> control() {
        return gate.control();
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        if (next == Control.DIRECTED) {
            return gate.set(next);
        }
        return snapshot.jobsWithEntryHold()
                .then(held -> gate.set(next).then(turned -> {
                    final Answer<Accepted> let = holds.liftOwnHolds(held);
                    // Some jobs may have ended in the meantime: qrls reports them and continues with the others.
                    return let instanceof Answer.Trouble<Accepted> trouble && trouble.kind() == Answer.Kind.DOWN
                            ? let
                            : Answer.ok(turned);
                }));
    }
}
