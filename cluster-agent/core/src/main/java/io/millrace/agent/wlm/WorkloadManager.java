package io.millrace.agent.wlm;

import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.JobKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An adapter: the part for each role that the workload manager has. The roles are the interfaces of {@code wlm.capability}; every adapter observes,
 * submits and cancels. Calls may come from several threads and block no longer than their command's limit.
 */
public final class WorkloadManager implements AutoCloseable {

    private final Map<Class<?>, Object> parts;

    private WorkloadManager(final Map<Class<?>, Object> parts) {
        this.parts = Map.copyOf(parts);
    }

    public static WorkloadManager of(
            final Observing observing, final Submitting submitting, final Cancelling cancelling) {
        return new WorkloadManager(
                Map.of(Observing.class, observing, Submitting.class, submitting, Cancelling.class, cancelling));
    }

    /** The same with a part for this role. */
    public <R> WorkloadManager with(final Class<R> role, final R part) {
        final Map<Class<?>, Object> more = new HashMap<>(parts);
        more.put(role, part);
        return new WorkloadManager(more);
    }

    public boolean has(final Class<?> role) {
        return parts.containsKey(role);
    }

    /** The part for this role; null if the workload manager does not have it. */
    public <R> @Nullable R find(final Class<R> role) {
        return role.cast(parts.get(role));
    }

    /** The part for a role that was checked before. */
    public <R> R get(final Class<R> role) {
        final R part = find(role);
        if (part == null) {
            throw new IllegalStateException("the adapter has no part for " + role.getSimpleName());
        }
        return part;
    }

    /** See {@link Observing#version}. */
    public String version() {
        return get(Observing.class).version();
    }

    /** See {@link Observing#observe}. */
    public Answer<Observation> observe() {
        return get(Observing.class).observe();
    }

    /** See {@link Submitting#submit}. */
    public Answer<JobKey> submit(final Submission submission) {
        return get(Submitting.class).submit(submission);
    }

    /** See {@link Cancelling#cancel}. */
    public Answer<Accepted> cancel(final JobKey job) {
        return get(Cancelling.class).cancel(job);
    }

    /** Closes a workload manager that runs in this process. */
    @Override
    public void close() {
        if (get(Observing.class) instanceof AutoCloseable embedded) {
            try {
                embedded.close();
            } catch (final Exception e) {
                throw new IllegalStateException("cannot close the adapter", e);
            }
        }
    }
}
