package io.millrace.agent.wlm.provider;

import io.millrace.agent.wlm.WorkloadManager;
import java.time.Duration;
import java.util.Set;

/**
 * Opens the workload manager of one adapter module.
 *
 * <p>Each module has one implementation, an {@code @ApplicationScoped} CDI bean; {@code META-INF/beans.xml} makes the module visible.
 * CDI and not {@link java.util.ServiceLoader}, because the bean gets the module's own {@code @ConfigMapping} injected and Quarkus
 * validates those settings at start.
 */
public interface WorkloadManagerProvider {

    /** Value of {@code millrace.agent.adapter} that selects this adapter, in lower case. */
    String name();

    /** Other accepted values of {@code millrace.agent.adapter}. */
    default Set<String> aliases() {
        return Set.of();
    }

    /**
     * Opens the workload manager. If the result is {@link AutoCloseable}, it is closed when the agent stops.
     *
     * @throws IllegalStateException if the adapter's settings contradict each other or do not match the host
     */
    WorkloadManager open(ProviderContext context);

    /**
     * How long a command line that the agent started can still take effect after the agent has ended. After a restart the agent waits
     * for that long before it examines what an unanswered command has done.
     */
    Duration commandLimit();

    /** Whether the workload manager runs in the agent's own process and has no watchdog. */
    default boolean embedded() {
        return false;
    }

    /** Whether jobs run with the rights of their owners. */
    default boolean runsAsOwner() {
        return true;
    }
}
