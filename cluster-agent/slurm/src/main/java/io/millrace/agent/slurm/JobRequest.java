package io.millrace.agent.slurm;

import io.millrace.model.Resources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What accounting remembers of a job beside its runs.
 *
 * @param user empty where only the uid is known
 * @param walltime null means unlimited, or not known
 */
record JobRequest(
        String name,
        String user,
        String uid,
        String account,
        String partition,
        Resources resources,
        @Nullable Duration walltime) {

    static final JobRequest NOTHING = new JobRequest("", "", "", "", "", Resources.NONE, null);

    /** With the resources of another component of the same heterogeneous job. */
    JobRequest plus(final JobRequest component) {
        return new JobRequest(name, user, uid, account, partition, resources.plus(component.resources), walltime);
    }

    /** A job on one node asked for none in particular. */
    static Resources resources(final int cores, final int nodes, final long memory_mib, final int gpus) {
        return new Resources(cores, nodes > 1 ? nodes : 0, memory_mib, gpus);
    }
}
