package io.millrace.agent;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.agent.domain.Included;
import io.millrace.agent.domain.Judge;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Accounting;
import io.millrace.agent.wlm.Altering;
import io.millrace.agent.wlm.Checkpointing;
import io.millrace.agent.wlm.Holding;
import io.millrace.agent.wlm.Limiting;
import io.millrace.agent.wlm.NativeCheckpointing;
import io.millrace.agent.wlm.Rehearsing;
import io.millrace.agent.wlm.Requeueing;
import io.millrace.agent.wlm.Signalling;
import io.millrace.agent.wlm.Starting;
import io.millrace.agent.wlm.Suspending;
import io.millrace.agent.wlm.Tiering;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Set;

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
            final Permits permits,
            final TransferSettings transfers,
            final AgentLog log,
            final Clock clock,
            final MeterRegistry registry,
            final Runnable whenTakenOver) {
        final Counts counts = new Counts(registry);
        final Set<Capability> capabilities = capabilities(wlm);
        final SettleEnds ends = new SettleEnds(wlm, settings.settleDeadline());
        final ObserveCluster observer = new ObserveCluster(settings, wlm, capabilities, ends, log, clock);
        final Background background = new Background(log::wake);
        final Staging staging = new Staging(settings.stagingRoot(), owners);
        final ReclaimCores reclaim = new ReclaimCores(wlm, clock, settings.reclaimLimit());
        final MakeStep make = new MakeStep(
                settings.workDir(),
                new Sessions(settings.workDir().resolve("bin")),
                owners,
                staging,
                settings.makeLimit());
        final TreeCopies copies = new TreeCopies(owners::runner, transfers);
        final Actions actions = new Actions(
                wlm,
                staging,
                reclaim,
                new TakeCheckpoint(wlm, ends, clock),
                make,
                copies,
                new LookAfterCrash(wlm, ends, reclaim, make, copies, clock, settings.lookAfter()),
                (submit, job) -> observer.expect(handedIn(submit, job)));
        final CarryOutCommands commands = new CarryOutCommands(
                wlm, new Judge(capabilities), actions, permits, background, new Included(), log, clock, counts);
        return new Agent(
                settings,
                log,
                commands,
                observer,
                new WatchOverControl(settings, wlm, embedded, clock),
                background,
                counts,
                clock,
                whenTakenOver);
    }

    /** What the adapter can do, by the interfaces it implements. */
    static Set<Capability> capabilities(final WorkloadManager wlm) {
        final Set<Capability> can = EnumSet.of(Capability.TRANSFER);
        add(can, wlm instanceof Starting, Capability.START);
        add(can, wlm instanceof Holding, Capability.HOLD);
        add(can, wlm instanceof Requeueing, Capability.REQUEUE);
        add(can, wlm instanceof Suspending, Capability.SUSPEND);
        add(can, wlm instanceof Signalling, Capability.SIGNAL);
        add(can, wlm instanceof Accounting, Capability.ACCOUNTING);
        add(can, wlm instanceof Starting && wlm instanceof Requeueing, Capability.RECLAIM);
        add(
                can,
                wlm instanceof Signalling && wlm instanceof Checkpointing && wlm instanceof Requeueing,
                Capability.CHECKPOINT);
        add(can, wlm instanceof NativeCheckpointing, Capability.NATIVE_CHECKPOINT);
        add(can, wlm instanceof Altering, Capability.ALTER);
        add(can, wlm instanceof Tiering, Capability.TIER);
        add(can, wlm instanceof Limiting, Capability.LIMIT);
        add(can, wlm instanceof Rehearsing, Capability.DRY_RUN);
        return can;
    }

    private static void add(final Set<Capability> can, final boolean does, final Capability capability) {
        if (does) {
            can.add(capability);
        }
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
