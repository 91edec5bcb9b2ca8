package io.millrace.agent.torque;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.AccountingEvents;
import io.millrace.agent.torque.accounting.AttemptLookup;
import io.millrace.agent.torque.accounting.AttemptRegistry;
import io.millrace.agent.torque.accounting.EndedRuns;
import io.millrace.agent.torque.command.ArrayStarts;
import io.millrace.agent.torque.command.CheckpointAndVacate;
import io.millrace.agent.torque.command.HoldCommands;
import io.millrace.agent.torque.command.Holds;
import io.millrace.agent.torque.command.JobStarts;
import io.millrace.agent.torque.command.JobUpdate;
import io.millrace.agent.torque.command.Requeues;
import io.millrace.agent.torque.command.Signals;
import io.millrace.agent.torque.command.Submissions;
import io.millrace.agent.torque.command.TorqueCommand;
import io.millrace.agent.torque.query.InstalledFeatures;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.JobStates;
import io.millrace.agent.torque.query.ReportedJobs;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.torque.query.WaitingArrayTasks;
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
import io.millrace.model.cluster.Control;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/**
 * The adapter of one OpenPBS 2.3 or Torque cluster. Each command first looks up the job, because ids are reused and some commands
 * report success without an effect.
 */
public final class Torque {

    private Torque() {}

    /** @param nonces unpredictable words of letters and digits, a new one for each call */
    public static WorkloadManager of(
            final TorqueSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        final InstalledFeatures features = new InstalledFeatures(site, runner);
        final JobLookup jobs = new JobLookup(site, runner, features);
        final HoldCommands holds = new HoldCommands(site, runner, jobs);
        final WaitingArrayTasks tasks = new WaitingArrayTasks(site.cluster());
        final ReportedJobs reported = new ReportedJobs(site, runner, jobs, tasks, clock);
        final JobStarts starts = new JobStarts(site, runner, jobs, holds, clock);
        final ArrayStarts arrays = new ArrayStarts(site.cluster(), starts);
        final AttemptRegistry tags = new AttemptRegistry(site.cluster(), site.tags(), clock.instant());
        final Submissions submissions = new Submissions(site, runner, jobs, holds, tags, nonces, features);
        final Signals signals = new Signals(site, runner);
        final RunningJobs<TorqueJob> running = new RunningJobs<>(
                jobs::find,
                job -> JobStates.of(job, Control.NATIVE),
                jobs::wrongState,
                signals::suspend,
                signals::resume,
                signals::send);
        return WorkloadManager.of(
                        new ClusterObserver(site, runner, clock, tasks, tags, features),
                        submissions,
                        job -> reported.apply(
                                job,
                                (seen, control) -> runner.run(TorqueCommand.delete(
                                        site, seen.key(site.cluster()).id().local()))))
                .with(Restricting.class, new Preconditions(site))
                .with(EventPublishing.class, () -> eventFiles(site, runner))
                .with(Accounting.class, new EndedRuns(site, runner, jobs, tags, clock, features))
                .with(AttemptFinding.class, new AttemptLookup(site, runner, tags, features)::find)
                .with(ControlSwitching.class, new SchedulerSwitch(site, runner, holds, features))
                .with(ArrayCommands.class, submissions)
                .with(DryRunning.class, submissions)
                .with(
                        Starting.class,
                        job -> features.get()
                                .then(known -> reported.apply(
                                        job,
                                        (seen, control) ->
                                                starts.start(seen.job().key(site.cluster()), control, known))))
                .with(
                        ArrayStarting.class,
                        (array, indices) -> features.get()
                                .then(known -> reported.apply(
                                        array, (seen, control) -> arrays.start(array, seen, indices, control, known))))
                .with(
                        Moving.class,
                        (job, queue) -> features.get()
                                .then(known -> reported.apply(
                                        job,
                                        (seen, control) ->
                                                starts.start(seen.job().key(site.cluster()), queue, control, known))))
                .with(Holding.class, new Holds(reported, holds))
                .with(Requeueing.class, new Requeues(site, runner, jobs, holds))
                .with(Suspending.class, running)
                .with(Signalling.class, running)
                .with(ApplicationCheckpointing.class, jobs::directory)
                .with(NativeCheckpointing.class, new CheckpointAndVacate(site, runner, jobs, holds, clock)::run)
                .with(Altering.class, new JobUpdate(site, runner, reported));
    }

    private static List<EventFile> eventFiles(final TorqueSite site, final Runner runner) {
        return runner.isHere() ? List.of(AccountingEvents.in(site.accounting(), site.zone())) : List.of();
    }
}
