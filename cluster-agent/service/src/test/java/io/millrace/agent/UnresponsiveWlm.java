package io.millrace.agent;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/** A workload manager that can be cut off: the real one behind a line that goes dead. */
final class UnresponsiveWlm {

    private UnresponsiveWlm() {}

    static WorkloadManager when(final AtomicBoolean silent, final WorkloadManager real) {
        return (WorkloadManager) Proxy.newProxyInstance(
                UnresponsiveWlm.class.getClassLoader(), real.getClass().getInterfaces(), (proxy, method, args) -> {
                    if (silent.get() && method.getReturnType() == Answer.class) {
                        return Answer.trouble(Answer.Kind.DOWN, "'squeue' did not answer within 10 s");
                    }
                    try {
                        return method.invoke(real, args);
                    } catch (final InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
