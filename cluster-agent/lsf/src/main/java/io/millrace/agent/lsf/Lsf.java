package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Account;
import io.millrace.agent.wlm.Accounting;
import io.millrace.agent.wlm.Accounts;
import io.millrace.agent.wlm.Altering;
import io.millrace.agent.wlm.Announcing;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Checkpointing;
import io.millrace.agent.wlm.Controlled;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.EventFile;
import io.millrace.agent.wlm.Finding;
import io.millrace.agent.wlm.Holding;
import io.millrace.agent.wlm.Moving;
import io.millrace.agent.wlm.NativeCheckpointing;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Rehearsing;
import io.millrace.agent.wlm.Requeueing;
import io.millrace.agent.wlm.Run;
import io.millrace.agent.wlm.Runner;
import io.millrace.agent.wlm.Signalling;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.Suspending;
import io.millrace.agent.wlm.Tiering;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
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

/** One LSF cluster behind the port. Every order looks at the job first: ids are reused, and LSF says "done" to much. */
public final class Lsf
        implements WorkloadManager,
                Moving,
                Holding,
                Requeueing,
                Suspending,
                Signalling,
                Altering,
                Tiering,
                Checkpointing,
                NativeCheckpointing,
                Rehearsing,
                Accounting,
                Finding,
                Controlled,
                Announcing {

    private static final Duration PAUSE = Duration.ofMillis(700);

    private final LsfSite site;
    private final Runner runner;
    private final Accounts accounts;
    private final CommandExecutor orders;
    private final JobListing listing;
    private final JobLookup looks;
    private final JobNotes notes;
    private final PendingArrayTasks tasks;
    private final JobSubmission submissions;
    private final QueueGate gate;
    private final ClusterTopology surroundings;
    private final JobHolds holds;
    private final JobStarts starts;
    private final JobHistories histories;
    private final CheckpointAndVacate parking;
    private final PreemptionTiers tiers;
    private final LsfCapabilities preconditions;
    private final ClusterObserver picture;
    private final EndedJobs ends;
    private @Nullable LsfFeatures means;

    /** @param nonces words that nobody can guess, letters and digits only, another one each time */
    public Lsf(
            final LsfSite site,
            final Runner runner,
            final Accounts accounts,
            final Clock clock,
            final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.accounts = accounts;
        this.orders = new CommandExecutor(site, runner, PAUSE);
        this.notes = new JobNotes(site.stateDir().resolve("notes"));
        this.tasks = new PendingArrayTasks(site.cluster(), notes);
        this.listing = new JobListing(site, runner, clock, this::means, tasks);
        this.submissions = new JobSubmission(site, runner, listing, nonces, this::means);
        this.gate = new QueueGate(site, orders);
        this.surroundings = new ClusterTopology(site, runner, clock);
        this.looks = new JobLookup(listing, surroundings, notes, gate, clock);
        this.holds = new JobHolds(orders, clock, looks, notes);
        this.starts = new JobStarts(orders, looks, holds, surroundings, this::means, clock);
        final ContinuedJobs continuations =
                new ContinuedJobs(site.cluster(), site.stateDir().resolve("continued"));
        this.histories = new JobHistories(site, runner, clock, surroundings, continuations, notes);
        this.parking = new CheckpointAndVacate(site, runner, orders, listing, looks, notes, continuations, clock);
        this.tiers = new PreemptionTiers(site, runner, orders, looks, surroundings);
        this.preconditions = new LsfCapabilities(site, tiers);
        this.picture = new ClusterObserver(site, listing, surroundings, looks, notes, gate, histories, clock);
        this.ends =
                new EndedJobs(site, runner, listing, looks, histories, new PurgedJobs(site, runner, surroundings, histories));
    }

    /** What the installed version can do; found out once, when it answers for the first time. */
    private synchronized Answer<LsfFeatures> means() {
        final LsfFeatures known = means;
        if (known != null) {
            return Answer.ok(known);
        }
        final Answer<LsfFeatures> found = LsfFeatures.of(site, runner);
        if (found instanceof Answer.Ok<LsfFeatures> ok) {
            means = ok.value();
        }
        return found;
    }

    // ---- the picture

    @Override
    public String version() {
        synchronized (this) {
            means = null; // asked when it comes back: it may be another version by then
        }
        return means().get().version().toString();
    }

    @Override
    public Answer<Observation> observe() {
        return means().then(known -> picture.observe(known.version()));
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
    public Answer<DryRunResult> rehearse(final Submission submission) {
        return submissions.rehearse(submission);
    }

    // ---- orders about one job

    @Override
    public Answer<Accepted> cancel(final JobKey job) {
        return looks.find(job)
                .then(seen -> orders.run("bkill", job.id().local()).map(done -> {
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
    public Answer<Accepted> start(final JobKey job, final PartitionName partition) {
        return starts.start(job, partition);
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind) {
        return holds.hold(job, kind);
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return looks.find(job).then(seen -> {
            if (!seen.state().equals(new JobState.Held(kind))) {
                return looks.wrongState(seen, "is not held by " + kind + " but " + seen.state());
            }
            // At the gate without a hold of its own: nothing but a start lets it go while the gate is shut.
            return seen.job().status().equals("PSUSP")
                    ? holds.release(job, seen.job().commandId())
                    : starts.start(job);
        });
    }

    @Override
    public Answer<Accepted> requeue(final JobKey job) {
        return control().then(control -> holds.requeue(job, control == Control.DIRECTED));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job) {
        return holds.requeue(job, true);
    }

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return looks.find(job)
                .then(seen -> seen.state() instanceof JobState.Running
                        ? orders.run("bstop", job.id().local())
                        : looks.wrongState(seen, "does not run"));
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return looks.find(job)
                .then(seen -> seen.state() instanceof JobState.Suspended
                        ? orders.run("bresume", job.id().local())
                        : looks.wrongState(seen, "is not suspended"));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        return Signalling.name(signal)
                .then(name -> looks.find(job))
                .then(seen -> seen.state() instanceof JobState.Running
                        ? orders.run("bkill", "-s", signal, job.id().local())
                        : looks.wrongState(seen, "does not run"));
    }

    @Override
    public Answer<Accepted> walltime(final JobKey job, final Duration walltime) {
        if (walltime.isNegative() || walltime.isZero()) {
            return Answer.trouble(Answer.Kind.REJECTED, "a walltime is positive, got " + walltime);
        }
        return looks.find(job)
                .then(seen -> orders.run(
                        "bmod",
                        "-W",
                        Long.toString(Bsub.minutes(walltime)),
                        seen.job().commandId()));
    }

    @Override
    public Answer<Accepted> tier(final JobKey job, final Tier tier) {
        return tiers.tier(job, tier);
    }

    @Override
    public Answer<Parked> park(final JobKey job, final Duration grace) throws InterruptedException {
        return parking.run(job, grace);
    }

    // ---- questions about jobs

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

    /** Each task ends under its own id, those that were cancelled while they waited, too. */
    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return Answer.ok(Set.copyOf(arrays));
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return ends.since(since);
    }

    @Override
    public Answer<List<Found>> find(final AttemptId attempt) {
        return ends.find(attempt);
    }

    // ---- control

    @Override
    public Answer<Control> control() {
        return surroundings.queues().map(gate::control);
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return surroundings
                .queues()
                .then(queues -> next == Control.DIRECTED
                        ? gate.close(queues)
                        : gate.open(queues).then(this::releaseAll));
    }

    /** Under native control nobody waits under a hold of the gate. */
    private Answer<Accepted> releaseAll(final Accepted opened) {
        return picture.heldAtTheGate().map(jobs -> {
            // One that has left meanwhile, or that its owner holds by now, has no such hold.
            jobs.forEach(job -> holds.release(job.key(site.cluster()), job.commandId()));
            return opened;
        });
    }

    // ---- what is offered

    @Override
    public Map<Capability, String> withheld() {
        return preconditions.withheld();
    }

    @Override
    public Map<Capability, String> remarks() {
        return preconditions.remarks();
    }
}
