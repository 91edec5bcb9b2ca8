package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.StartRule;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The capabilities of a cluster: those that its adapter implements and its installation allows.
 *
 * @param capabilities the offered capabilities
 * @param withheld capabilities that are implemented and not offered, with the reason and the remedy
 * @param remarks limits of offered capabilities, one sentence each
 * @param startRule which parts of nodes a start can use
 * @param memoryPerSlot see {@link WorkloadManager#reservesMemoryPerSlot}
 */
public record Offer(
        Set<Capability> capabilities,
        Map<Capability, String> withheld,
        Map<Capability, String> remarks,
        StartRule startRule,
        boolean memoryPerSlot) {

    /** Capabilities that need others, and are withheld with them. */
    private static final Map<Capability, List<Capability>> NEEDS = Map.of(
            Capability.RECLAIM, List.of(Capability.START, Capability.REQUEUE),
            Capability.START_TASKS, List.of(Capability.START),
            Capability.MOVE, List.of(Capability.START),
            Capability.MOVE_TASKS, List.of(Capability.START, Capability.MOVE),
            Capability.CHECKPOINT, List.of(Capability.SIGNAL, Capability.REQUEUE));

    public Offer {
        capabilities = Set.copyOf(capabilities);
        withheld = Map.copyOf(withheld);
        remarks = Map.copyOf(remarks);
    }

    /** The current offer of this workload manager. */
    public static Offer of(final WorkloadManager wlm) {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        final Set<Capability> offered = implemented(wlm);
        withheld.putAll(wlm.withheld());
        NEEDS.forEach((whole, parts) -> parts.stream()
                .map(withheld::get)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(because -> withheld.putIfAbsent(whole, because)));
        offered.removeAll(withheld.keySet());
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.putAll(wlm.remarks());
        remarks.keySet().retainAll(offered);
        return new Offer(
                offered,
                withheld,
                remarks,
                wlm instanceof Starting starting ? starting.startRule() : StartRule.PARTS_OF_NODES,
                wlm.reservesMemoryPerSlot());
    }

    /** The capabilities that the adapter implements. */
    public static Set<Capability> implemented(final WorkloadManager wlm) {
        final Set<Capability> can = EnumSet.of(Capability.TRANSFER);
        add(can, wlm instanceof Starting, Capability.START);
        add(can, wlm instanceof ArrayStarting, Capability.START_TASKS);
        add(can, wlm instanceof Holding, Capability.HOLD);
        add(can, wlm instanceof Requeueing, Capability.REQUEUE);
        add(can, wlm instanceof Suspending, Capability.SUSPEND);
        add(can, wlm instanceof Signalling, Capability.SIGNAL);
        add(can, wlm instanceof Accounting, Capability.ACCOUNTING);
        add(can, wlm instanceof Starting && wlm instanceof Requeueing, Capability.RECLAIM);
        add(
                can,
                wlm instanceof Signalling && wlm instanceof ApplicationCheckpointing && wlm instanceof Requeueing,
                Capability.CHECKPOINT);
        add(can, wlm instanceof NativeCheckpointing, Capability.NATIVE_CHECKPOINT);
        add(can, wlm instanceof Altering, Capability.ALTER);
        add(can, wlm instanceof Tiering, Capability.TIER);
        add(can, wlm instanceof Limiting, Capability.LIMIT);
        add(can, wlm instanceof Moving, Capability.MOVE);
        add(can, wlm instanceof Moving, Capability.MOVE_TASKS);
        add(can, wlm instanceof PartitionChoosing, Capability.PARTITION_CHOICE);
        add(can, wlm instanceof DryRunning, Capability.DRY_RUN);
        return can;
    }

    private static void add(final Set<Capability> can, final boolean does, final Capability capability) {
        if (does) {
            can.add(capability);
        }
    }

    /** Remarks for people: limits of offered capabilities, and reasons for withheld ones. */
    public Map<Capability, String> notes() {
        final Map<Capability, String> notes = new EnumMap<>(Capability.class);
        notes.putAll(remarks);
        notes.putAll(withheld);
        return notes;
    }
}
