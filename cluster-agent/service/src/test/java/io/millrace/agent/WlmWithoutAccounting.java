package io.millrace.agent;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import java.util.List;
import java.util.function.Function;

/** The embedded workload manager with the gaps that real ones have. */
final class WlmWithoutAccounting {

    private WlmWithoutAccounting() {}

    /** It does not keep how a job is checkpointed. */
    static WorkloadManager of(final WorkloadManager real) {
        return seeing(
                real,
                jobs -> jobs.stream()
                        .map(job -> job.with(new CheckpointMethod.None()))
                        .toList());
    }

    /** Jobs of this name come and go between two looks. */
    static WorkloadManager blindTo(final String name, final WorkloadManager real) {
        return seeing(
                real,
                jobs -> jobs.stream().filter(job -> !job.name().equals(name)).toList());
    }

    private static WorkloadManager seeing(
            final WorkloadManager real, final Function<List<JobObserved>, List<JobObserved>> shown) {
        return Intercepted.of(real, List.of(Observing.class), (method, call) -> {
            final Object answer = call.call();
            return answer instanceof Answer.Ok<?> ok && ok.value() instanceof Observation seen
                    ? Answer.ok(new Observation(
                            seen.at(), seen.control(), shown.apply(seen.jobs()), seen.nodes(), seen.partitions()))
                    : answer;
        });
    }
}
