package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.accounting.AttemptLookup;
import io.millrace.agent.slurm.accounting.EndedRuns;
import io.millrace.agent.slurm.command.Scancel;
import io.millrace.agent.slurm.command.Scontrol;
import io.millrace.agent.slurm.command.Scontrol.Verb;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.qos.QosNames;
import io.millrace.agent.slurm.qos.UserQos;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.LicenceQuery;
import io.millrace.agent.slurm.query.MaintenanceQuery;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
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
import io.millrace.agent.wlm.capability.ConditionReporting;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.agent.wlm.capability.DryRunning;
import io.millrace.agent.wlm.capability.EventPublishing;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.PartitionChoosing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.cluster.ClusterConditions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/**
 * The adapter of a Slurm cluster. Every change queries the job first: Slurm reuses job ids, and its commands report success for changes
 * that had no effect.
 */
public final class Slurm {

    private Slurm() {}

    /** @param nonces supplies a new unguessable string of letters and digits on each call */
    public static WorkloadManager of(
            final SlurmSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        final JobLookup jobs = new JobLookup(site, runner, nonces);
        final Submissions submissions = new Submissions(site, runner, jobs, nonces);
        final Holds holds = new Holds(site, runner, clock, jobs);
        final PartitionMoves moves = new PartitionMoves(site, runner, clock, jobs, holds);
        final UserQos qos = new UserQos(site, runner, nonces, jobs);
        final RunningJobs<QueuedJob> running = new RunningJobs<>(
                jobs::current,
                JobStates::of,
                jobs::wrongState,
                job -> runner.run(Scontrol.of(site, Verb.SUSPEND, TargetId.of(job))),
                job -> runner.run(Scontrol.of(site, Verb.RESUME, TargetId.of(job))),
                (job, signal) -> runner.run(new Scancel(site, TargetId.of(job), signal)));
        return WorkloadManager.of(
                        new ClusterObserver(site, runner, clock, nonces),
                        submissions,
                        job -> jobs.wholeJobId(job).then(target -> runner.run(new Scancel(site, target, null))))
                .with(
                        Restricting.class,
                        () -> Preconditions.read(site, runner).restrictions(new QosNames(site.cluster())))
                .with(ConditionReporting.class, () -> conditions(site, runner))
                .with(EventPublishing.class, () -> eventFiles(site, runner))
                .with(Accounting.class, new EndedRuns(site, runner, clock, nonces))
                .with(AttemptFinding.class, new AttemptLookup(site, runner, nonces)::find)
                .with(ControlSwitching.class, new SchedulerSwitch(site, runner, holds, nonces))
                .with(ArrayCommands.class, submissions)
                .with(DryRunning.class, submissions)
                .with(Starting.class, holds)
                .with(ArrayStarting.class, new ArrayStarts(runner, jobs, holds)::start)
                .with(Moving.class, moves::start)
                .with(PartitionChoosing.class, moves::setPartitions)
                .with(Holding.class, holds)
                .with(Requeueing.class, new Requeues(site, runner, jobs))
                .with(Suspending.class, running)
                .with(Signalling.class, running)
                .with(
                        ApplicationCheckpointing.class,
                        job -> jobs.current(job).map(seen -> Path.of(seen.cell("workdir"))))
                .with(Altering.class, new JobUpdate(site, runner, clock, jobs, moves))
                .with(Tiering.class, qos)
                .with(Limiting.class, qos);
    }

    private static Answer<ClusterConditions> conditions(final SlurmSite site, final Runner runner) {
        return runner.run(new LicenceQuery(site))
                .then(licences -> runner.run(new MaintenanceQuery(site))
                        .map(windows -> new ClusterConditions(site.cluster(), null, licences, windows)));
    }

    /** The completion log. Each ended run adds a line if {@code jobcomp.lua} is installed. */
    private static List<EventFile> eventFiles(final SlurmSite site, final Runner runner) {
        return runner.isHere()
                ? List.of(EventFile.of(
                        "millrace.ends",
                        site.completionLog(),
                        "grant the agent's account read access: setfacl -m u:millrace:r " + site.completionLog()))
                : List.of();
    }
}
