package io.millrace.agent;

import io.millrace.agent.wlm.WorkloadManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.Callable;

/** A workload manager with other answers than those of the real one. */
public final class Intercepted {

    /** What is done instead of a call. */
    public interface Around {
        Object call(Method method, Callable<Object> real) throws Exception;
    }

    private Intercepted() {}

    public static WorkloadManager of(final WorkloadManager real, final List<Class<?>> roles, final Around around) {
        WorkloadManager next = real;
        for (final Class<?> role : roles) {
            next = with(next, role, around);
        }
        return next;
    }

    private static <R> WorkloadManager with(final WorkloadManager real, final Class<R> role, final Around around) {
        final R part = real.get(role);
        return real.with(
                role,
                role.cast(Proxy.newProxyInstance(
                        Intercepted.class.getClassLoader(),
                        new Class<?>[] {role},
                        (proxy, method, arguments) -> around.call(method, () -> {
                            try {
                                return method.invoke(part, arguments);
                            } catch (final InvocationTargetException e) {
                                throw e.getCause() instanceof Exception cause ? cause : e;
                            }
                        }))));
    }
}
