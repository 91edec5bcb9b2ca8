package io.millrace.agent.reclaim;

import io.millrace.agent.observe.AdapterCall;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.model.Backoff;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases the victims of a reclaim under native control from the hold that they had until the beneficiary ran. A victim that stayed held
 * would never start again, so the release is repeated until each has a final answer. The command is not answered before, so that an agent
 * that crashes meanwhile continues after its restart.
 */
public final class VictimRelease {

    private static final Logger LOG = LoggerFactory.getLogger(VictimRelease.class);
    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(500), Duration.ofMinutes(1));

    private final WorkloadManager wlm;
    private final Consumer<CommandId> settle;
    private final Clock clock;
    private final Duration limit;

    /**
     * @param settle called when other commands no longer wait for this one
     * @param limit how long preempted victims may take to leave their cores
     */
    public VictimRelease(
            final WorkloadManager wlm, final Consumer<CommandId> settle, final Clock clock, final Duration limit) {
        this.wlm = wlm;
        this.settle = settle;
        this.clock = clock;
        this.limit = limit;
    }

    /**
     * Returns when each victim is released or cannot be, or when control has become directed, under which the hold is right. Other commands
     * and a switch of control wait for it only until the limit has passed.
     *
     * @param victims the keys under which they wait; they may still run, and the release of one that was not preempted has no effect
     */
    public void release(final CommandId command, final List<JobKey> victims) throws InterruptedException {
        final List<JobKey> open = new ArrayList<>(victims);
        final Instant end = clock.instant().plus(limit);
        int late = 0;
        while (!open.isEmpty()) {
            final boolean isLate = !clock.instant().isBefore(end);
            if (AdapterCall.of("observation of the cluster", wlm::observe) instanceof Answer.Ok<Observation> seen) {
                if (seen.value().control() == Control.DIRECTED) {
                    return;
                }
                final Set<JobKey> running = running(seen.value());
                // A victim that still runs after the limit was not preempted.
                open.removeIf(victim -> running.contains(victim) ? isLate : hasFinalAnswer(victim));
            }
            if (isLate && !open.isEmpty()) {
                settle.accept(command);
                late++;
            }
            if (!open.isEmpty()) {
                Thread.sleep(PAUSES.after(late));
            }
        }
    }

    private static Set<JobKey> running(final Observation seen) {
        return seen.jobs().stream()
                .filter(job -> job.state().occupiesCores())
                .map(JobObserved::job)
                .collect(Collectors.toSet());
    }

    private boolean hasFinalAnswer(final JobKey victim) {
        if (!(wlm.find(Holding.class) instanceof Holding holding)) {
            return true;
        }
        final Answer<Accepted> answer =
                AdapterCall.of("release of " + victim, () -> holding.release(victim, HoldKind.ENTRY));
        if (!(answer instanceof Answer.Trouble<Accepted> trouble)) {
            return true;
        }
        final boolean isFinal = trouble.kind().isDefinite() && trouble.kind() != Answer.Kind.DOWN;
        if (isFinal && !trouble.isJobGone()) {
            LOG.atWarn()
                    .addKeyValue("jobId", victim)
                    .addKeyValue("reason", trouble.reason())
                    .log("a victim of a reclaim cannot be released; release it with the workload manager");
        }
        return isFinal;
    }
}
