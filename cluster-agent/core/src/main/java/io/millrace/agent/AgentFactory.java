package io.millrace.agent;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.agent.action.ActionContext;
import io.millrace.agent.action.CommandValidator;
import io.millrace.agent.action.CrashRecovery;
import io.millrace.agent.checkpoint.ApplicationCheckpoint;
import io.millrace.agent.checkpoint.CheckpointExecutor;
import io.millrace.agent.checkpoint.CheckpointRecovery;
import io.millrace.agent.checkpoint.CheckpointRequeue;
import io.millrace.agent.checkpoint.CheckpointStore;
import io.millrace.agent.command.ActionAuthorization;
import io.millrace.agent.command.BackgroundCommands;
import io.millrace.agent.command.CommandLanes;
import io.millrace.agent.command.CommandProcessor;
import io.millrace.agent.command.LiveCommandValidator;
import io.millrace.agent.control.ControlSwitch;
import io.millrace.agent.domain.IncludedCommands;
import io.millrace.agent.observe.ClusterObserver;
import io.millrace.agent.observe.ConditionReadings;
import io.millrace.agent.observe.EventFileWatcher;
import io.millrace.agent.observe.OfferCache;
import io.millrace.agent.observe.RunEndResolver;
import io.millrace.agent.observe.UnobservedEnds;
import io.millrace.agent.reclaim.ReclaimExecutor;
import io.millrace.agent.reclaim.VictimPreemption;
import io.millrace.agent.reclaim.VictimRelease;
import io.millrace.agent.run.MakeStep;
import io.millrace.agent.run.StagingDirectories;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.site.LocalProjects;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.EventPublishing;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Creates an agent from its components. */
public final class AgentFactory {

    private AgentFactory() {}

    /**
     * @param embedded whether the workload manager runs in this process
     * @param onFenced called when another agent has fenced this one
     */
    public static Agent agent(
            final AgentSettings settings,
            final WorkloadManager wlm,
            final boolean embedded,
            final OwnerAccounts owners,
            final SiteMapping siteMapping,
            final ActionAuthorization permits,
            final TransferSettings transfers,
            final AgentLog log,
            final Clock clock,
            final MeterRegistry registry,
            final Runnable onFenced) {
        final AgentMetrics counts = new AgentMetrics(registry);
        final OfferCache offering = new OfferCache(wlm, clock);
        final CheckpointStore saved = new CheckpointStore(settings.workDir().resolve("saved"));
        final RunEndResolver ends = new RunEndResolver(wlm, saved, settings.settleDeadline());
        final SiteTranslation site = new SiteTranslation(siteMapping, new LocalProjects(settings.localProjects()));
        final TreeCopies copies = new TreeCopies(owners::runner, transfers);
        final BackgroundCommands background = new BackgroundCommands(log::wake);
        final ControlSwitch control = new ControlSwitch(settings, wlm, embedded, background::isChangingQueue, clock);
        final ClusterObserver observer = new ClusterObserver(
                settings,
                wlm,
                offering,
                ends,
                new UnobservedEnds(wlm, site, settings.unobservedEndsInterval()),
                site,
                copies::progress,
                control::problem,
                new ConditionReadings(settings, wlm, clock),
                log,
                clock);
        watch(counts, observer);
        final StagingDirectories staging = new StagingDirectories(settings.stagingRoot(), owners);
        final MakeStep make = new MakeStep(
                settings.workDir(),
                new Sessions(settings.workDir().resolve("bin")),
                owners,
                staging,
                settings.makeLimit());
        final CheckpointRequeue cut =
                new CheckpointRequeue(wlm, offering, ends, settings.restartCost(), settings.reclaimLimit(), clock);
        final CheckpointExecutor checkpoint = new CheckpointExecutor(
                wlm, cut, new ApplicationCheckpoint(wlm, cut, owners::runnerOfAccount, clock), clock);
        final VictimRelease release = new VictimRelease(wlm, background::settle, clock, settings.reclaimLimit());
        final ReclaimExecutor reclaim = new ReclaimExecutor(
                wlm, new VictimPreemption(wlm, checkpoint), release, clock, settings.reclaimLimit());
        final ActionContext actions = new ActionContext(
                wlm,
                owners,
                staging,
                reclaim,
                checkpoint,
                make,
                copies,
                (submit, job) -> observer.expect(submittedJob(submit, job)));
        final CrashRecovery recovery = new CrashRecovery(
                actions,
                ends,
                new CheckpointRecovery(ends, cut, saved.entries()),
                release,
                clock,
                settings.recoveryDelay().plus(CommandProcessor.GROUP_TIME));
        final LiveCommandValidator judge = new LiveCommandValidator(
                wlm,
                new CommandValidator(offering::capabilities, offering::withheld),
                permits,
                clock,
                site,
                () -> observer.status().unavailableReason());
        final CommandProcessor commands = new CommandProcessor(
                judge, recovery, background, new IncludedCommands(), log, clock, counts, site, new CommandLanes());
        final EventFileWatcher news = new EventFileWatcher(
                wlm.find(EventPublishing.class) instanceof EventPublishing announcing
                        ? announcing.eventFiles()
                        : List.of(),
                clock,
                log::wake);
        return new Agent(settings, log, commands, observer, control, background, news, counts, clock, onFenced);
    }

    private static void watch(final AgentMetrics counts, final ClusterObserver observer) {
        counts.gauge(
                "millrace.agent.stale",
                "1 if the workload manager does not answer, else 0",
                () -> observer.status().health() instanceof WlmHealth.Answering ? 0 : 1);
        counts.gauge(
                "millrace.agent.failed.polls",
                "Failed polls since the workload manager answered last",
                () -> observer.status().failedPolls());
        counts.gauge(
                "millrace.agent.last.answered",
                "Time of the last answer of the workload manager, seconds since 1970",
                () -> {
                    final Instant last = observer.status().lastAnsweredAt();
                    return last == null ? 0 : last.getEpochSecond();
                });
        counts.gauge(
                "millrace.agent.unknown.states",
                "Jobs and nodes in a state unknown to the adapter",
                () -> observer.status().unknownStates());
        counts.gauge(
                "millrace.agent.unreadable.jobs",
                "Jobs that the workload manager lists and the adapter cannot read",
                () -> observer.status().unreadableJobs());
    }

    /** A job that was just submitted, as it will be observed. Its end is published from this record if it ends before the next poll. */
    private static JobObserved submittedJob(final Action.Submit submit, final JobKey job) {
        final PartitionName partition = submit.spec().partition();
        return new JobObserved(
                job,
                submit.spec().name(),
                submit.owner(),
                submit.spec().project(),
                partition == null ? PartitionName.of("default") : partition,
                new JobState.Held(HoldKind.SUBMISSION),
                null,
                submit.spec().resources(),
                submit.spec().walltime(),
                Eligibility.not(Eligibility.Obstacle.HOLD),
                submit.attempt(),
                0,
                0,
                submit.spec().checkpoint(),
                JobDetail.NONE);
    }
}
