package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.MigrationPolicy;
import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.migration.domain.job.WaitingJobs;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.job.TargetRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The groups that no cluster could start, by {@link Lane}, and when time alone changes the answer for one. */
final class BlockedGroups {

    /**
     * Vetoes that a cluster gives either to all owners or to none while it changes no more than what is idle. A group with any other veto
     * has a separate lane for its owner, so that the answer for one owner is not taken for that of another.
     */
    private static final Set<VetoCode> SAME_FOR_ALL_OWNERS = EnumSet.of(
            VetoCode.NO_IDLE_CORES,
            VetoCode.NO_SUITABLE_NODES,
            VetoCode.PREFERS_OTHER_CLUSTER,
            VetoCode.HOME_JOBS_FIRST,
            VetoCode.EXCEEDS_CLUSTER,
            VetoCode.EXCEEDS_WALLTIME_LIMIT,
            VetoCode.EXCEEDS_PARTITION,
            VetoCode.EXCEEDS_LICENCES,
            VetoCode.FEATURES_MISSING,
            VetoCode.SOFTWARE_MISSING,
            VetoCode.LICENCES_IN_USE,
            VetoCode.MAINTENANCE,
            VetoCode.DISK_FULL,
            VetoCode.PARTITION_UNKNOWN,
            VetoCode.CLUSTER_UNSUITABLE_FOR_CLASS,
            VetoCode.RUN_TIME_OUTSIDE_CLASS,
            VetoCode.PARTITION_CLOSED,
            VetoCode.CLUSTER_LIMIT,
            VetoCode.LINK_LIMIT,
            VetoCode.NO_INCOMING_JOBS,
            VetoCode.SOURCE_NOT_OBSERVED,
            VetoCode.SOURCE_UNREACHABLE,
            VetoCode.CLUSTER_NOT_OBSERVED,
            VetoCode.CLUSTER_STALE,
            VetoCode.AGENT_SILENT);

    private static final Set<String> SHARED_CODES =
            SAME_FOR_ALL_OWNERS.stream().map(VetoCode::code).collect(Collectors.toUnmodifiableSet());

    private static final String NOT_CLASSIFIED = VetoCode.NOT_CLASSIFIED.code();
    private static final String PREFERS_OTHER = VetoCode.PREFERS_OTHER_CLUSTER.code();
    private static final String HOME_JOBS_FIRST = VetoCode.HOME_JOBS_FIRST.code();

    private record Alarm(Instant at, GlobalJobId first, WaitingGroup group) {}

    private final MigrationPolicy policy;
    private final WaitingJobs waiting;
    private final Map<WaitingGroup, BlockedGroup> blocked = new LinkedHashMap<>();
    private final Map<Lane.Key, Lane> lanes = new HashMap<>();
    private final Set<Lane> hesitating = new LinkedHashSet<>();
    private final LaneWatch watch = new LaneWatch();
    private final Set<WaitingGroup> unexplained = new LinkedHashSet<>();
    private final TreeSet<Alarm> alarms =
            new TreeSet<>(Comparator.comparing(Alarm::at).thenComparing(Alarm::first));

    BlockedGroups(final MigrationPolicy policy, final WaitingJobs waiting) {
        this.policy = policy;
        this.waiting = waiting;
    }

    @Nullable
    BlockedGroup of(final WaitingGroup group) {
        return blocked.get(group);
    }

    Collection<BlockedGroup> all() {
        return Collections.unmodifiableCollection(blocked.values());
    }

    /** The lanes whose answer may change now that so many cores are idle on the cluster. */
    Collection<Lane> watching(final ClusterId cluster, final int idleCores) {
        return watch.of(cluster, idleCores);
    }

    /**
     * The lanes whose jobs wait although a cluster has enough idle, because they are predicted to end on another one first, or to delay jobs
     * that wait there: the prediction changes with time.
     */
    Collection<Lane> hesitating() {
        return Collections.unmodifiableCollection(hesitating);
    }

    private Lane open(final Lane.Key key) {
        final Lane lane = new Lane(key);
        open(lane);
        return lane;
    }

    private void open(final Lane lane) {
        watch.add(lane);
        if (policy.rule(lane.shape().request()) == TargetRule.EARLIEST_END
                        && lane.codes().containsValue(PREFERS_OTHER)
                || lane.codes().containsValue(HOME_JOBS_FIRST)) {
            hesitating.add(lane);
        }
    }

    private void close(final Lane lane) {
        lanes.remove(lane.key());
        watch.remove(lane);
        hesitating.remove(lane);
    }

    /** The group gets this answer. Returns false if it is the one that it had. */
    boolean block(final WaitingGroup group, final GlobalJobId first, final List<Veto> vetoes, final Instant now) {
        final BlockedGroup before = blocked.get(group);
        if (before != null && before.lane().codes().equals(Lane.codes(vetoes))) {
            move(before, first, now);
            return false;
        }
        final boolean shared = vetoes.stream().allMatch(veto -> SHARED_CODES.contains(veto.code()));
        final UserName owner = shared ? null : group.owner();
        final Lane lane = lanes.computeIfAbsent(new Lane.Key(group.shape(), owner, List.copyOf(vetoes)), this::open);
        remove(group);
        put(group, lane, first, Set.of(), now);
        return true;
    }

    /** The group has lost or gained jobs since; it keeps its answer. */
    void moved(final WaitingGroup group) {
        move(Objects.requireNonNull(blocked.get(group)), group.first(), Instant.MIN);
        unexplained.add(group);
    }

    /** @param askedAt when its first job was asked; its time to queue counts if it comes later */
    private void move(final BlockedGroup before, final GlobalJobId first, final Instant askedAt) {
        if (before.first().equals(first) && before.place().equals(waiting.place(first))) {
            return;
        }
        final boolean explained = !unexplained.contains(before.group());
        remove(before.group());
        if (lanes.putIfAbsent(before.lane().key(), before.lane()) == null) {
            open(before.lane());
        }
        put(before.group(), before.lane(), first, before.told(), askedAt);
        if (explained) {
            unexplained.remove(before.group());
        }
    }

    private void put(
            final WaitingGroup group,
            final Lane lane,
            final GlobalJobId first,
            final Set<GlobalJobId> told,
            final Instant askedAt) {
        final GlobalJobId place = waiting.place(first);
        final Instant dueAt = dueAt(lane, waiting.job(first).since(), askedAt);
        lane.add(group, place, first);
        if (dueAt.isAfter(askedAt)) {
            alarms.add(new Alarm(dueAt, first, group));
        }
        final BlockedGroup state = new BlockedGroup(group, lane, place, first, dueAt, told);
        blocked.put(group, state);
        unexplained.add(group);
    }

    /** When time alone changes the answer: the job no longer waits for its class, or may wait in the queue of a cluster. */
    private Instant dueAt(final Lane lane, final Instant since, final Instant askedAt) {
        final Instant classAt = since.plus(ClassRules.WAIT_FOR_CLASS);
        final Instant queueAt = since.plus(policy.queueAfter());
        return lane.codes().containsValue(NOT_CLASSIFIED) && classAt.isBefore(queueAt) && classAt.isAfter(askedAt)
                ? classAt
                : queueAt;
    }

    /** The group has another answer, or no jobs. */
    void remove(final WaitingGroup group) {
        unexplained.remove(group);
        final BlockedGroup state = blocked.remove(group);
        if (state == null) {
            return;
        }
        state.lane().remove(state.place(), state.first());
        if (state.lane().isEmpty()) {
            close(state.lane());
        }
        alarms.remove(new Alarm(state.dueAt(), state.first(), group));
    }

    /** The groups of which time alone changed the answer since the last call. */
    List<WaitingGroup> takeDue(final Instant now) {
        final List<WaitingGroup> due = new ArrayList<>();
        while (!alarms.isEmpty() && !alarms.first().at().isAfter(now)) {
            due.add(alarms.removeFirst().group());
        }
        return due;
    }

    /** When the next group is due. */
    Optional<Instant> nextDue() {
        return alarms.isEmpty() ? Optional.empty() : Optional.of(alarms.first().at());
    }

    /** The next group of which not all jobs know what they wait for; null if there is none. */
    @Nullable
    BlockedGroup takeUnexplained() {
        if (unexplained.isEmpty()) {
            return null;
        }
        final WaitingGroup next = unexplained.iterator().next();
        unexplained.remove(next);
        return blocked.get(next);
    }

    boolean isExplained() {
        return unexplained.isEmpty();
    }

    void told(final BlockedGroup group, final Set<GlobalJobId> jobs) {
        blocked.computeIfPresent(
                group.group(),
                (g, before) -> new BlockedGroup(
                        g, before.lane(), before.place(), before.first(), before.dueAt(), Set.copyOf(jobs)));
    }
}
