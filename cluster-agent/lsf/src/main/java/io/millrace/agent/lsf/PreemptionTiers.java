package io.millrace.agent.lsf;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.CommandExecutor;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.observe.ClusterTopology;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.lsf.query.ParamsQuery;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Tier;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * UPQPP with LSF preemption (paper 1, section 1.2.2): guaranteed jobs are in a queue of high priority, which preempts the queue of borrowed
 * jobs. {@code bswitch} moves jobs between the two queues, even while they run.
 */
final class PreemptionTiers implements Tiering {

    private final LsfSite site;
    private final Runner runner;
    private final CommandExecutor executor;
    private final JobLookup lookup;
    private final ClusterTopology topology;

    PreemptionTiers(
            final LsfSite site,
            final Runner runner,
            final CommandExecutor executor,
            final JobLookup lookup,
            final ClusterTopology topology) {
        this.site = site;
        this.runner = runner;
        this.executor = executor;
        this.lookup = lookup;
        this.topology = topology;
    }

    @Override
    public Answer<Accepted> setTier(final JobKey key, final Tier tier) {
        final @Nullable String queue = queue(tier);
        if (queue == null) {
            return Answer.trouble(Answer.Kind.REJECTED, NOT_SET);
        }
        return lookup.find(key)
                .then(seen -> seen.job().heading().queue().equals(queue)
                        ? Answer.ok(new Accepted("already in queue " + queue))
                        : executor.run("bswitch", queue, seen.job().commandId()));
    }

    private @Nullable String queue(final Tier tier) {
        return switch (tier) {
            case GUARANTEED -> site.guaranteedQueue();
            case BORROWED -> site.borrowedQueue();
        };
    }

    private static final String NOT_SET = "no queues configured for guaranteed and borrowed jobs; set "
            + "millrace.agent.lsf.guaranteed-queue and millrace.agent.lsf.borrowed-queue (see deploy/lsf)";

    /** Why LSF does not enforce the tiers here; empty if it does. */
    Optional<String> withheld() {
        if (site.guaranteedQueue() == null || site.borrowedQueue() == null) {
            return Optional.of(NOT_SET);
        }
        final Answer<Optional<String>> found = topology.queues()
                .then(queues -> runner.run(new ParamsQuery(site, false)).map(params -> check(queues, params)));
        return switch (found) {
            case Answer.Ok<Optional<String>> ok -> ok.value();
            case Answer.Trouble<Optional<String>> trouble ->
                Optional.of("cannot check the tier queues: " + trouble.reason());
        };
    }

    private Optional<String> check(final List<LsfQueue> queues, final ParamsQuery.Params params) {
        final String high = String.valueOf(site.guaranteedQueue());
        final String low = String.valueOf(site.borrowedQueue());
        final LsfQueue guaranteed = JobLookup.queueNamed(high, queues);
        final LsfQueue borrowed = JobLookup.queueNamed(low, queues);
        if (guaranteed == null || borrowed == null) {
            return Optional.of("queue '" + (guaranteed == null ? high : low)
                    + "' not found; add it to lsb.queues (see deploy/lsf/lsb.queues.millrace) and run: badmin"
                    + " reconfig");
        }
        if (!guaranteed.preempts(low) && !borrowed.preemptable()) {
            return Optional.of("queue '" + high + "' does not preempt queue '" + low + "'; set PREEMPTION = PREEMPTIVE["
                    + low + "] in its section of lsb.queues and run: badmin reconfig");
        }
        if (!borrowed.suspendAction().contains("brequeue") && !params.requeuesVictims()) {
            return Optional.of("a preempted job of queue '" + low + "' is suspended and keeps its memory ("
                    + (borrowed.suspendAction().isEmpty()
                            ? "no JOB_CONTROLS"
                            : "SUSPEND[" + borrowed.suspendAction() + "]")
                    + "); set JOB_CONTROLS = SUSPEND[brequeue $LSB_JOBID] in its section of lsb.queues and"
                    + " run: badmin reconfig");
        }
        return Optional.empty();
    }
}
