package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entitlement of a job: its level and priority. A job without one does not start (promise 5).
 *
 * @param level guaranteed, borrowed or held
 * @param priority higher goes first; ties in order of submission
 * @param reason the figures behind it, e.g. {@code 8 cores + 4 in use <= quota 16}
 * @param terms the terms that add up to the priority; null for a job that does not wait, or comes last because its budget is exhausted
 * @param partitions others than its own that its priority opens to it, first choice first; null: none
 * @param tasks indices of the array's waiting tasks that it covers, as ranges; null: the next task
 * @param code why the job is held, if not by a limit or a budget; null otherwise
 */
public record Entitlement(
        JobKey job,
        EntitlementLevel level,
        long priority,
        String reason,
        @Nullable List<WeightedTerm> terms,
        @Nullable List<PartitionName> partitions,
        @Nullable String tasks,
        @Nullable String code)
        implements Event {

    public Entitlement {
        terms = terms == null ? null : List.copyOf(terms);
        partitions = partitions == null ? null : List.copyOf(partitions);
    }

    /** An entitlement without priority terms. */
    public Entitlement(final JobKey job, final EntitlementLevel right, final long priority, final String reason) {
        this(job, right, priority, reason, null, null, null, null);
    }

    /** No start, for a reason other than a limit or a budget. */
    public static Entitlement held(final JobKey job, final Veto veto) {
        return new Entitlement(job, EntitlementLevel.HELD, 0, veto.reason(), null, null, null, veto.code());
    }

    /** The same entitlement with another reason. */
    public Entitlement because(final String why) {
        return new Entitlement(job, level, priority, why, terms, partitions, tasks, code);
    }

    /** The same entitlement with the sum of these terms as its priority. */
    public Entitlement weighed(final List<WeightedTerm> by) {
        return new Entitlement(
                job, level, by.stream().mapToLong(WeightedTerm::points).sum(), reason, by, partitions, tasks, code);
    }

    /** The same entitlement with permission to start in these partitions, too. */
    public Entitlement withOtherPartitions(final List<PartitionName> others) {
        return new Entitlement(job, level, priority, reason, terms, others.isEmpty() ? null : others, tasks, code);
    }

    /** The same entitlement for these tasks of its array. */
    public Entitlement covering(final String indices) {
        return new Entitlement(job, level, priority, reason, terms, partitions, indices, code);
    }

    /** Why a held job does not start. */
    public Veto veto() {
        return code == null ? VetoCode.HELD_BY_QUOTA.veto(reason) : new Veto(code, false, reason);
    }

    /** Partitions other than its own that it may start in. */
    public List<PartitionName> otherPartitions() {
        return partitions == null ? List.of() : partitions;
    }

    @Override
    public String key() {
        return job.toString();
    }

    @Override
    public ClusterId cluster() {
        return job.cluster();
    }
}
