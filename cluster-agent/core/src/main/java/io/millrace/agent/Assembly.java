package io.millrace.agent;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.agent.domain.Included;
import io.millrace.agent.domain.Judge;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Announcing;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Puts an agent together from its parts. */
final class Assembly {

    private Assembly() {}

    /**
     * @param embedded whether this process is the workload manager itself
     * @param whenTakenOver called when another agent speaks for the cluster
     */
    static Agent agent(
            final AgentSettings settings,
            final WorkloadManager wlm,
            final boolean embedded,
            final Owners owners,
            final Surroundings surroundings,
            final Permits permits,
            final TransferSettings transfers,
            final AgentLog log,
            final Clock clock,
            final MeterRegistry registry,
            final Runnable whenTakenOver) {
        final Counts counts = new Counts(registry);
        final Offering offering = new Offering(wlm, clock);
        final SavedStates saved = new SavedStates(settings.workDir().resolve("saved"));
        final SettleEnds ends = new SettleEnds(wlm, saved, settings.settleDeadline());
        final SiteView site = new SiteView(surroundings);
        final ObserveCluster observer = new ObserveCluster(
                settings, wlm, offering, ends, new TellUnseenEnds(wlm, site, settings.unseenEvery()), site, log, clock);
        watch(counts, observer);
        final Background background = new Background(log::wake);
        final Staging staging = new Staging(settings.stagingRoot(), owners);
        final MakeStep make = new MakeStep(
                settings.workDir(),
                new Sessions(settings.workDir().resolve("bin")),
                owners,
                staging,
                settings.makeLimit());
        final TreeCopies copies = new TreeCopies(owners::runner, transfers);
        final CutJob cut = new CutJob(wlm, offering, ends, settings.restartCost(), settings.reclaimLimit(), clock);
        final TakeCheckpoint checkpoint = new TakeCheckpoint(
                wlm, cut, new ApplicationCheckpoint(wlm, cut, owners::runnerOfAccount, clock), clock);
        final ReclaimCores reclaim =
                new ReclaimCores(wlm, new ClearCores(wlm, checkpoint), clock, settings.reclaimLimit());
        final Actions actions = new Actions(
                wlm,
                owners,
                staging,
                reclaim,
                checkpoint,
                make,
                copies,
                new LookAfterCrash(
                        wlm, ends, cut, owners, saved.entries(), reclaim, make, copies, clock, settings.lookAfter()),
                (submit, job) -> observer.expect(handedIn(submit, job)));
        final LiveJudge judge = new LiveJudge(
                wlm,
                new Judge(offering::capabilities, offering::withheld),
                permits,
                clock,
                site,
                () -> observer.status().silence());
        final CarryOutCommands commands =
                new CarryOutCommands(judge, actions, background, new Included(), log, clock, counts, site);
        final News news =
                new News(wlm instanceof Announcing announcing ? announcing.eventFiles() : List.of(), clock, log::wake);
        return new Agent(
                settings,
                log,
                commands,
                observer,
                new WatchOverControl(settings, wlm, embedded, clock),
                background,
                news,
                counts,
                clock,
                whenTakenOver);
    }

    private static void watch(final Counts counts, final ObserveCluster observer) {
        counts.gauge(
                "millrace.agent.stale",
                "1 while the workload manager does not answer, 0 while it does",
                () -> observer.status().health() instanceof WlmHealth.Answering ? 0 : 1);
        counts.gauge(
                "millrace.agent.failed.looks",
                "Looks at the workload manager that failed since it answered last",
                () -> observer.status().failedLooks());
        counts.gauge(
                "millrace.agent.last.good.look", "When the workload manager answered last, seconds since 1970", () -> {
                    final Instant last = observer.status().lastGood();
                    return last == null ? 0 : last.getEpochSecond();
                });
        counts.gauge(
                "millrace.agent.unknown.states",
                "Jobs and nodes in a state that the adapter does not know",
                () -> observer.status().unknownStates());
    }

    /** A job that was just handed in, as it will be observed; should it be gone by then, this is what its end is settled from. */
    private static JobObserved handedIn(final Action.Submit submit, final JobKey job) {
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
                null,
                submit.attempt(),
                0,
                0,
                submit.spec().checkpoint());
    }
}
