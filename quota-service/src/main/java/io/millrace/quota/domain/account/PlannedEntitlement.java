package io.millrace.quota.domain.account;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.WeightedTerm;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The entitlement that a pass decides for a job. The event with its text is made only if it is published. See {@link Entitlement}. */
public record PlannedEntitlement(
        JobKey job,
        EntitlementLevel level,
        long priority,
        Reason reason,
        @Nullable List<WeightedTerm> terms,
        List<PartitionName> otherPartitions,
        @Nullable String tasks,
        @Nullable String code) {

    PlannedEntitlement(final JobKey job, final EntitlementLevel level, final long priority, final Reason reason) {
        this(job, level, priority, reason, null, List.of(), null, null);
    }

    static PlannedEntitlement held(final JobKey job, final String why) {
        return new PlannedEntitlement(job, EntitlementLevel.HELD, 0, Reason.of(why));
    }

    static PlannedEntitlement held(final JobKey job, final Veto veto) {
        return new PlannedEntitlement(
                job, EntitlementLevel.HELD, 0, Reason.of(veto.reason()), null, List.of(), null, veto.code());
    }

    PlannedEntitlement because(final String more) {
        return new PlannedEntitlement(job, level, priority, reason.and(more), terms, otherPartitions, tasks, code);
    }

    PlannedEntitlement covering(final String indices) {
        return new PlannedEntitlement(job, level, priority, reason, terms, otherPartitions, indices, code);
    }

    /** The same entitlement with this priority, the sum of the terms, and these other partitions. */
    public PlannedEntitlement weighed(
            final long points, final List<WeightedTerm> by, final List<PartitionName> opened) {
        return new PlannedEntitlement(job, level, points, reason, by, opened, tasks, code);
    }

    /**
     * Whether what is published is the same except for the figures in brackets, which change whenever another job of the user starts, and
     * for the priority and other partitions of a job that no longer waits.
     */
    public boolean isPublishedAs(final Entitlement published) {
        return level == published.level()
                && Objects.equals(tasks, published.tasks())
                && (terms == null
                        || priority == published.priority()
                                && terms.equals(published.terms())
                                && otherPartitions.equals(published.otherPartitions()))
                && reason.lastsIn(published.reason());
    }

    public Entitlement event() {
        return new Entitlement(
                job,
                level,
                priority,
                reason.text(),
                terms,
                otherPartitions.isEmpty() ? null : otherPartitions,
                tasks,
                code);
    }
}
