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
 * @param memoryPerSlot see {@link Observing#reservesMemoryPerSlot}
 */
public record Offer(
        Set<Capability> capabilities,
        Map<Capability, String> withheld,
        Map<Capability, String> remarks,
        StartRule startRule,
        boolean memoryPerSlot) {

    /** The roles of an adapter that make a capability. */
    private static final Map<Capability, List<Class<?>>> ROLES = Map.ofEntries(
            Map.entry(Capability.START, List.of(Starting.class)),
            Map.entry(Capability.START_TASKS, List.of(ArrayStarting.class)),
            Map.entry(Capability.HOLD, List.of(Holding.class)),
            Map.entry(Capability.REQUEUE, List.of(Requeueing.class)),
            Map.entry(Capability.SUSPEND, List.of(Suspending.class)),
            Map.entry(Capability.SIGNAL, List.of(Signalling.class)),
            Map.entry(Capability.ACCOUNTING, List.of(Accounting.class)),
            Map.entry(Capability.RECLAIM, List.of(Starting.class, Requeueing.class)),
            Map.entry(
                    Capability.CHECKPOINT, List.of(Signalling.class, ApplicationCheckpointing.class, Requeueing.class)),
            Map.entry(Capability.NATIVE_CHECKPOINT, List.of(NativeCheckpointing.class)),
            Map.entry(Capability.ALTER, List.of(Altering.class)),
            Map.entry(Capability.TIER, List.of(Tiering.class)),
            Map.entry(Capability.LIMIT, List.of(Limiting.class)),
            Map.entry(Capability.MOVE, List.of(Moving.class)),
            Map.entry(Capability.MOVE_TASKS, List.of(Moving.class)),
            Map.entry(Capability.PARTITION_CHOICE, List.of(PartitionChoosing.class)),
            Map.entry(Capability.DRY_RUN, List.of(DryRunning.class)));

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
        final Restricting restricting = wlm.find(Restricting.class);
        final Restricting.Restrictions restrictions =
                restricting == null ? Restricting.Restrictions.NONE : restricting.restrictions();
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        final Set<Capability> offered = implemented(wlm);
        withheld.putAll(restrictions.withheld());
        NEEDS.forEach((whole, parts) -> parts.stream()
                .map(withheld::get)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(because -> withheld.putIfAbsent(whole, because)));
        offered.removeAll(withheld.keySet());
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.putAll(restrictions.remarks());
        remarks.keySet().retainAll(offered);
        return new Offer(
                offered,
                withheld,
                remarks,
                wlm.find(Starting.class) instanceof Starting starting ? starting.startRule() : StartRule.PARTS_OF_NODES,
                wlm.get(Observing.class).reservesMemoryPerSlot());
    }

    /** The capabilities that the adapter implements. */
    public static Set<Capability> implemented(final WorkloadManager wlm) {
        final Set<Capability> can = EnumSet.of(Capability.TRANSFER);
        ROLES.forEach((capability, roles) -> {
            if (roles.stream().allMatch(wlm::has)) {
                can.add(capability);
            }
        });
        return can;
    }

    /** Remarks for people: limits of offered capabilities, and reasons for withheld ones. */
    public Map<Capability, String> notes() {
        final Map<Capability, String> notes = new EnumMap<>(Capability.class);
        notes.putAll(remarks);
        notes.putAll(withheld);
        return notes;
    }
}
