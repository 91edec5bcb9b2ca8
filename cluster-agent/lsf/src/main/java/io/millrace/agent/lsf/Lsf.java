package io.millrace.agent.lsf;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.history.ContinuedJobs;
import io.millrace.agent.lsf.history.EndedJobs;
import io.millrace.agent.lsf.history.JobHistories;
import io.millrace.agent.lsf.history.PurgedJobs;
import io.millrace.agent.lsf.observe.ClusterTopology;
import io.millrace.agent.lsf.observe.JobListing;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.lsf.observe.JobNotes;
import io.millrace.agent.lsf.observe.PendingArrayTasks;
import io.millrace.agent.lsf.observe.QueueGate;
import io.millrace.agent.lsf.query.EventLog;
import io.millrace.agent.lsf.query.ListedJob;
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
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.StartRule;
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
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * An LSF cluster as a {@link WorkloadManager}. Every command first looks up the job: LSF reuses ids, and reports success for commands that
 * have no effect.
 */
public final class Lsf
        implements WorkloadManager,
                ArrayCommands,
                ArrayStarting,
                Moving,
                Holding,
                Requeueing,
                Suspending,
                Signalling,
                Altering,
                Tiering,
                ApplicationCheckpointing,
                NativeCheckpointing,
                DryRunning,
                Accounting,
                AttemptFinding,
                ControlSwitching,
                EventPublishing {

    private static final Duration PAUSE = Duration.ofMillis(700);

    private final LsfSite site;
    private final Runner runner;
    private final Accounts accounts;
    private final CommandExecutor executor;
    private final JobListing listing;
    private final JobLookup lookup;
    private final RunningJobGuard<JobLookup.FoundJob> guard;
    private final JobNotes notes;
    private final PendingArrayTasks tasks;
    private final Submissions submissions;
    private final QueueGate gate;
    private final ClusterTopology topology;
    private final JobHolds holds;
    private final JobMessages messages;
    private final JobUpdate updates;
    private final JobStarts starts;
    private final JobHistories histories;
    private final CheckpointAndVacate checkpointAndVacate;
    private final PreemptionTiers tiers;
    private final LsfCapabilities capabilities;
    private final SnapshotReader observer;
    private final EndedJobs endedJobs;
    private @Nullable LsfFeatures features;

    /** @param nonces supplies unpredictable words of letters and digits, a new one on each call */
    public Lsf(
            final LsfSite site,
            final Runner runner,
            final Accounts accounts,
            final Clock clock,
            final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.accounts = accounts;
        this.executor = new CommandExecutor(site, runner, PAUSE);
        this.notes = new JobNotes(site.stateDir().resolve("notes"));
        this.tasks = new PendingArrayTasks(site.cluster(), notes);
        this.listing = new JobListing(site, runner, clock, this::features, tasks);
        this.submissions = new Submissions(site, runner, listing, nonces, this::features);
        this.gate = new QueueGate(site, executor);
        this.topology = new ClusterTopology(site, runner, clock);
        this.lookup = new JobLookup(listing, topology, notes, gate, clock);
        this.guard = new RunningJobGuard<>(lookup::find, JobLookup.FoundJob::state, lookup::wrongState);
        this.holds = new JobHolds(executor, clock, lookup, notes);
        this.messages = new JobMessages(site, runner, this::features, tasks);
        this.updates = new JobUpdate(executor, lookup);
        this.starts = new JobStarts(executor, lookup, holds, topology, this::features, clock);
        final ContinuedJobs continuations =
                new ContinuedJobs(site.cluster(), site.stateDir().resolve("continued"));
        this.histories = new JobHistories(site, runner, clock, topology, continuations, notes);
        this.checkpointAndVacate =
                new CheckpointAndVacate(site, runner, executor, listing, lookup, notes, continuations, clock);
        this.tiers = new PreemptionTiers(site, runner, executor, lookup, topology);
        this.capabilities = new LsfCapabilities(site, tiers);
        this.observer = new SnapshotReader(site, listing, topology, lookup, notes, gate, histories, clock);
        this.endedJobs = new EndedJobs(
                site,
                runner,
                listing,
                lookup,
                histories,
                new PurgedJobs(site, runner, topology, histories, this::features));
    }

    /** The features of the installed version, detected once, when LSF first responds. */
    private synchronized Answer<LsfFeatures> features() {
        final LsfFeatures known = features;
        if (known != null) {
            return Answer.ok(known);
        }
        final Answer<LsfFeatures> found = LsfFeatures.of(site, runner);
        if (found instanceof Answer.Ok<LsfFeatures> ok) {
            features = ok.value();
        }
        return found;
    }

    // ---- snapshot

    @Override
    public String version() {
        synchronized (this) {
            features = null; // detected again when LSF is back: it may have been upgraded
        }
        return features().get().version().toString();
    }

    @Override
    public boolean reservesMemoryPerSlot() {
        return features().get().memoryPerSlot();
    }

    @Override
    public Answer<Observation> observe() {
        return features().then(known -> observer.observe(known.version()));
    }

    @Override
    public List<EventFile> eventFiles() {
        return site.logDir() == null || !runner.isHere() ? List.of() : List.of(EventLog.in(site.logDir()));
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

    // ---- commands for one job

    @Override
    public Answer<Accepted> cancel(final JobKey job) {
        return lookup.find(job)
                .then(found -> executor.run("bkill", job.id().local()).map(done -> {
                    if (notes.of(job).isPresent()) {
                        holds.noteRelease(job);
                    }
                    return done;
                }));
    }

    @Override
    public Answer<Accepted> start(final JobKey job) {
        return starts.start(job);
    }

    @Override
    public Answer<StartedTasks> start(final JobKey array, final String indices) {
        return starts.start(array, indices);
    }

    @Override
    public Answer<Accepted> start(final JobKey job, final PartitionName partition) {
        return starts.start(job, partition);
    }

    @Override
    public StartRule startRule() {
        return features().get().version().isLsf() ? StartRule.PARTS_OF_NODES : StartRule.FILLS_NODES;
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
        return messages.after(holds.hold(job, kind), job, why);
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return lookup.find(job).then(found -> {
            if (!found.state().equals(new JobState.Held(kind))) {
                return lookup.wrongState(
                        found,
                        "is not held by " + kind.holder() + " but is "
                                + found.state().phrase());
            }
            // A job that is not held itself waits for the gate; only a start releases it while the gate is closed.
            return found.job().status().equals("PSUSP")
                    ? holds.release(job, found.job().commandId())
                    : starts.start(job);
        });
    }

    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return control().then(control -> messages.after(holds.requeue(job, control == Control.DIRECTED), job, why));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return messages.after(holds.requeue(job, true), job, why);
    }

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return guard.ifRunning(job, found -> executor.run("bstop", job.id().local()));
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return guard.ifSuspended(job, found -> executor.run("bresume", job.id().local()));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        return guard.ifSignalValid(
                job,
                signal,
                found -> executor.run("bkill", "-s", signal, job.id().local()));
    }

    @Override
    public Answer<Accepted> setWalltime(final JobKey job, final Duration walltime) {
        return updates.setWalltime(job, walltime);
    }

    @Override
    public Answer<Accepted> setPartition(final JobKey job, final PartitionName partition) {
        return updates.setPartition(job, partition);
    }

    @Override
    public Answer<Accepted> alterPending(final JobKey job, final @Nullable String name, final @Nullable Integer cores) {
        return updates.alterPending(job, name, cores);
    }

    @Override
    public Answer<Accepted> setTier(final JobKey job, final Tier tier) {
        return tiers.tier(job, tier);
    }

    @Override
    public Answer<VacatedJob> checkpointAndVacate(final JobKey job, final Duration grace) throws InterruptedException {
        return checkpointAndVacate.run(job, grace);
    }

    // ---- queries for jobs

    @Override
    public Answer<Path> directory(final JobKey job) {
        return listing.find(job)
                .map(found -> Path.of(
                        found.request().directory().replaceFirst("^\\$HOME", Matcher.quoteReplacement(home(found)))));
    }

    private String home(final ListedJob job) {
        return accounts.named(UserName.of(job.heading().user()))
                .map(Account::home)
                .orElse("$HOME");
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> jobs) {
        return histories.of(jobs.stream().filter(job -> !tasks.isArray(job)).toList());
    }

    /** Each task ends under its own id, including tasks that are cancelled while pending. */
    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return Answer.ok(Set.copyOf(arrays));
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return endedJobs.since(since);
    }

    @Override
    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        return endedJobs.find(owners);
    }

    // ---- control

    @Override
    public Answer<Control> control() {
        return topology.queues().map(gate::control);
    }

    @Override
    public boolean isPartial() {
        return gate.isPartial(topology.lastSeen());
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return topology.queues()
                .then(queues -> next == Control.DIRECTED
                        ? gate.close(queues)
                        : gate.open(queues).then(this::releaseAll));
    }

    /** Under native control no job keeps an entry hold. */
    private Answer<Accepted> releaseAll(final Accepted opened) {
        return observer.heldAtTheGate().map(jobs -> {
            // A job that has ended meanwhile, or that its owner holds now, has no entry hold.
            jobs.forEach(job -> holds.release(job.key(site.cluster()), job.commandId()));
            return opened;
        });
    }

    // ---- capabilities

    @Override
    public Map<Capability, String> withheld() {
        return capabilities.withheld();
    }

    @Override
    public Map<Capability, String> remarks() {
        return capabilities.remarks();
    }
}
