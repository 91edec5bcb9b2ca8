package io.millrace.agent.lsf;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue as {@code bqueues -l} shows it.
 *
 * @param acceptsJobs whether it takes jobs in
 * @param inactive whether an administrator has stopped it from starting jobs
 * @param windowClosed whether its time windows keep it from starting jobs now
 * @param users words of its list of users; empty: everybody
 * @param hosts words of its list of hosts; empty: all
 * @param preempts queues whose jobs its jobs preempt; null: it is not preemptive; empty: all below it
 * @param preemptable whether it lets itself be preempted by any queue
 * @param suspendAction what is done instead of suspending a job; empty: it is stopped where it is
 * @param requeueCodes exit codes after which a job is put back
 */
record LsfQueue(
        String name,
        boolean acceptsJobs,
        boolean inactive,
        boolean windowClosed,
        boolean isDefault,
        @Nullable Duration defaultRunLimit,
        @Nullable Duration runLimit,
        @Nullable Integer maxSlots,
        List<String> users,
        List<String> hosts,
        @Nullable List<String> preempts,
        boolean preemptable,
        String suspendAction,
        List<String> requeueCodes) {

    LsfQueue {
        users = List.copyOf(users);
        hosts = List.copyOf(hosts);
        preempts = preempts == null ? null : List.copyOf(preempts);
        requeueCodes = List.copyOf(requeueCodes);
    }

    /** Whether a run that ended by itself with this code is put back (lsb.queues(5): {@code all ~0 EXCLUDE(20)}). */
    boolean requeuesAfter(final int code) {
        final String number = Integer.toString(code);
        return requeueCodes.contains(number)
                || (requeueCodes.contains("all") && !requeueCodes.contains("~" + number) && code != 0);
    }

    boolean preempts(final String other) {
        return preempts != null && (preempts.isEmpty() || preempts.contains(other));
    }
}
