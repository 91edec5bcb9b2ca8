package io.millrace.agent.lsf.query;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue as {@code bqueues -l} shows it.
 *
 * @param acceptsJobs whether it accepts submissions
 * @param inactive whether an administrator has stopped it from dispatching jobs
 * @param windowClosed whether a time window keeps it from dispatching jobs now
 * @param users its user list; empty for all users
 * @param hosts its host list; empty for all hosts
 * @param preempts queues with jobs that its jobs can preempt; null if it is not preemptive; empty for all lower queues
 * @param preemptable whether any queue can preempt its jobs
 * @param suspendAction the command used instead of suspending a job; empty if jobs are stopped
 * @param requeueCodes exit codes after which a job is requeued
 */
public record LsfQueue(
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

    public LsfQueue {
        users = List.copyOf(users);
        hosts = List.copyOf(hosts);
        preempts = preempts == null ? null : List.copyOf(preempts);
        requeueCodes = List.copyOf(requeueCodes);
    }

    /** Whether a run with this exit code is requeued (lsb.queues(5): {@code all ~0 EXCLUDE(20)}). */
    public boolean requeuesAfter(final int code) {
        final String number = Integer.toString(code);
        return requeueCodes.contains(number)
                || (requeueCodes.contains("all") && !requeueCodes.contains("~" + number) && code != 0);
    }

    public boolean preempts(final String other) {
        return preempts != null && (preempts.isEmpty() || preempts.contains(other));
    }
}
