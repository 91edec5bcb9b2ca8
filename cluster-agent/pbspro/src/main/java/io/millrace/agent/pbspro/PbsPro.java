package io.millrace.agent.pbspro;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.AccountingEvents;
import io.millrace.agent.pbspro.accounting.AttemptLookup;
import io.millrace.agent.pbspro.accounting.EndedRuns;
import io.millrace.agent.pbspro.command.ArrayStarts;
import io.millrace.agent.pbspro.command.CheckpointAndVacate;
import io.millrace.agent.pbspro.command.Holds;
import io.millrace.agent.pbspro.command.JobUpdate;
import io.millrace.agent.pbspro.command.MarkResource;
import io.millrace.agent.pbspro.command.PbsCommand;
import io.millrace.agent.pbspro.command.QueueMoves;
import io.millrace.agent.pbspro.command.Requeues;
import io.millrace.agent.pbspro.command.SoftLimitTiers;
import io.millrace.agent.pbspro.command.SoftLimits;
import io.millrace.agent.pbspro.command.Submissions;
import io.millrace.agent.pbspro.query.ClusterObserver;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.JobStates;
import io.millrace.agent.pbspro.query.JobVariables;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsQueries;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.SchedulingControl;
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
import io.millrace.agent.wlm.capability.Limiting;
import io.millrace.agent.wlm.capability.Moving;
import io.millrace.agent.wlm.capability.NativeCheckpointing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The adapter of one PBS Pro or OpenPBS cluster. Each command first looks up the job, because ids are reused and PBS reports
 * success for some commands that have no effect.
 */
public final class PbsPro {

    private PbsPro() {}

    /** @param nonces unpredictable words of letters and digits, a new one for each call */
    public static WorkloadManager of(
            final PbsSite site, final Runner runner, final Clock clock, final Supplier<String> nonces) {
        final PbsQueries queries = new PbsQueries(site, runner);
        final JobLookup jobs = new JobLookup(site, queries);
        final SchedulingControl gate = new SchedulingControl(site, runner, queries);
        final MarkResource marks = new MarkResource(site, runner);
        final ClusterObserver snapshot = new ClusterObserver(site, queries, clock);
        final Holds holds = new Holds(site, runner, clock, jobs, gate, marks);
        final ArrayStarts arrays = new ArrayStarts(site, runner, jobs, holds);
        final QueueMoves moves = new QueueMoves(site, runner, jobs, holds);
        final Submissions submissions = new Submissions(site, runner, jobs, holds, marks, nonces, snapshot::version);
        final CheckpointAndVacate checkpoints = new CheckpointAndVacate(site, runner, clock, jobs, holds);
        final RunningJobs<PbsJob> running = new RunningJobs<>(
                jobs::find,
                job -> JobStates.of(job, Control.NATIVE),
                jobs::wrongState,
                job -> runner.run(PbsCommand.signal(site, "suspend", job.id())),
                job -> runner.run(PbsCommand.signal(site, "resume", job.id())),
                (job, signal) -> runner.run(PbsCommand.signal(site, "SIG" + signal, job.id())));
        return WorkloadManager.of(
                        snapshot,
                        submissions,
                        job -> jobs.find(job).then(seen -> runner.run(PbsCommand.delete(site, seen.id()))))
                .with(Restricting.class, new Preconditions(site, runner, queries, marks))
                .with(EventPublishing.class, () -> eventFiles(site, runner))
                .with(Accounting.class, new EndedRuns(site, runner, queries, clock))
                .with(AttemptFinding.class, new AttemptLookup(site, runner, queries, clock)::find)
                .with(ControlSwitching.class, new SchedulerSwitch(gate, snapshot, holds))
                .with(ArrayCommands.class, submissions)
                .with(DryRunning.class, submissions)
                .with(Starting.class, holds)
                .with(
                        ArrayStarting.class,
                        (array, indices) -> gate.control().then(control -> arrays.start(array, indices, control)))
                .with(Moving.class, (job, queue) -> gate.control().then(control -> moves.start(job, queue, control)))
                .with(Holding.class, holds)
                .with(Requeueing.class, new Requeues(site, runner, jobs, holds, gate, marks))
                .with(Suspending.class, running)
                .with(Signalling.class, running)
                .with(ApplicationCheckpointing.class, job -> jobs.find(job).then(PbsPro::directory))
                .with(
                        NativeCheckpointing.class,
                        (job, grace) -> marks.required() instanceof Answer.Trouble<Accepted> trouble
                                ? trouble.of()
                                : checkpoints.run(job, grace))
                .with(Altering.class, new JobUpdate(site, runner, jobs, moves))
                .with(Tiering.class, new SoftLimitTiers(jobs))
                .with(Limiting.class, new SoftLimits(site, runner, queries));
    }

    /** The server's accounting log, and the file of the hook {@code deploy/pbs/millrace_events.py}. */
    private static List<EventFile> eventFiles(final PbsSite site, final Runner runner) {
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

    private static Answer<Path> directory(final PbsJob job) {
        final String directory = JobVariables.of(job.object(), "PBS_O_WORKDIR");
        return directory.startsWith("/")
                ? Answer.ok(Path.of(directory))
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "PBS does not report the submission directory of job "
                                + job.key().id());
    }
}
