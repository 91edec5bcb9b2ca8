package io.millrace.agent.lsf;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.command.InstalledFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.history.ContinuedJobs;
import io.millrace.agent.lsf.history.EndedRuns;
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
import io.millrace.agent.wlm.EventFile;
import io.millrace.agent.wlm.RunningJobs;
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
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;

/**
 * An LSF cluster as a {@link WorkloadManager}. Every command first looks up the job: LSF reuses ids, and reports success for commands that
 * have no effect.
 */
public final class Lsf {

    private static final Duration PAUSE = Duration.ofMillis(700);

    private Lsf() {}

    /** @param nonces supplies unpredictable words of letters and digits, a new one on each call */
    public static WorkloadManager of(
            final LsfSite site,
            final Runner runner,
            final Accounts accounts,
            final Clock clock,
            final Supplier<String> nonces) {
        final InstalledFeatures features = new InstalledFeatures(site, runner);
        final CommandExecutor executor = new CommandExecutor(site, runner, PAUSE);
        final JobNotes notes = new JobNotes(site.stateDir().resolve("notes"));
        final PendingArrayTasks tasks = new PendingArrayTasks(site.cluster(), notes);
        final JobListing listing = new JobListing(site, runner, clock, features, tasks);
        final QueueGate gate = new QueueGate(site, executor);
        final ClusterTopology topology = new ClusterTopology(site, runner, clock);
        final JobLookup lookup = new JobLookup(listing, topology, notes, gate, clock);
        final HoldCommands holds = new HoldCommands(executor, clock, lookup, notes);
        final JobMessages messages = new JobMessages(site, runner, features, tasks);
        final JobStarts starts = new JobStarts(executor, lookup, holds, topology, features, clock);
        final ContinuedJobs continuations =
                new ContinuedJobs(site.cluster(), site.stateDir().resolve("continued"));
        final JobHistories histories = new JobHistories(site, runner, clock, topology, continuations, notes);
        final PreemptionTiers tiers = new PreemptionTiers(site, runner, executor, lookup, topology);
        final Submissions submissions = new Submissions(site, runner, listing, nonces, features);
        final SnapshotReader observer =
                new SnapshotReader(site, listing, topology, lookup, notes, gate, histories, clock, features);
        final SchedulerSwitch control = new SchedulerSwitch(site, gate, topology, observer, holds);
        final EndedRuns ended = new EndedRuns(
                site,
                runner,
                listing,
                lookup,
                histories,
                new PurgedJobs(site, runner, topology, histories, features),
                tasks);
        final RunningJobs<JobLookup.FoundJob> running = new RunningJobs<>(
                lookup::find,
                JobLookup.FoundJob::state,
                lookup::wrongState,
                found -> executor.run("bstop", localId(found, site)),
                found -> executor.run("bresume", localId(found, site)),
                (found, signal) -> executor.run("bkill", "-s", signal, localId(found, site)));
        return WorkloadManager.of(observer, submissions, job -> cancel(job, lookup, executor, notes, holds))
                .with(Restricting.class, new Preconditions(site, tiers))
                .with(EventPublishing.class, () -> eventFiles(site, runner))
                .with(Accounting.class, ended)
                .with(AttemptFinding.class, ended)
                .with(ControlSwitching.class, control)
                .with(ArrayCommands.class, submissions)
                .with(DryRunning.class, submissions)
                .with(Starting.class, starts)
                .with(ArrayStarting.class, starts)
                .with(Moving.class, starts)
                .with(Holding.class, new Holds(lookup, holds, messages, starts))
                .with(Requeueing.class, new Requeues(holds, messages, control::control))
                .with(Suspending.class, running)
                .with(Signalling.class, running)
                .with(ApplicationCheckpointing.class, job -> listing.find(job).map(found -> directory(found, accounts)))
                .with(
                        NativeCheckpointing.class,
                        new CheckpointAndVacate(site, runner, executor, listing, lookup, notes, continuations, clock)
                                ::run)
                .with(Altering.class, new JobUpdate(executor, lookup))
                .with(Tiering.class, tiers);
    }

    private static List<EventFile> eventFiles(final LsfSite site, final Runner runner) {
        return site.logDir() == null || !runner.isHere() ? List.of() : List.of(EventLog.in(site.logDir()));
    }

    private static Answer<Accepted> cancel(
            final JobKey job,
            final JobLookup lookup,
            final CommandExecutor executor,
            final JobNotes notes,
            final HoldCommands holds) {
        return lookup.find(job)
                .then(found -> executor.run("bkill", job.id().local()).map(done -> {
                    if (notes.of(job).isPresent()) {
                        holds.noteRelease(job);
                    }
                    return done;
                }));
    }

    private static String localId(final JobLookup.FoundJob found, final LsfSite site) {
        return found.job().key(site.cluster()).id().local();
    }

    private static Path directory(final ListedJob job, final Accounts accounts) {
        final String home = accounts.named(UserName.of(job.heading().user()))
                .map(Account::home)
                .orElse("$HOME");
        return Path.of(job.request().directory().replaceFirst("^\\$HOME", Matcher.quoteReplacement(home)));
    }
}
