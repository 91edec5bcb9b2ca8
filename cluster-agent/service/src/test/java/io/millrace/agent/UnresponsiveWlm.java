package io.millrace.agent;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Requeueing;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A workload manager that can be cut off: the real one behind a line that goes dead. */
final class UnresponsiveWlm {

    private UnresponsiveWlm() {}

    static WorkloadManager when(final AtomicBoolean silent, final WorkloadManager real) {
        return Intercepted.of(
                real,
                List.of(Observing.class, Holding.class, Requeueing.class, Accounting.class, AttemptFinding.class),
                (method, call) -> silent.get() && method.getReturnType() == Answer.class
                        ? Answer.trouble(Answer.Kind.DOWN, "'squeue' did not answer within 10 s")
                        : call.call());
    }
}
