package io.millrace.agent.slurm.query;

import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job requested, as accounting records it.
 *
 * @param user empty if only the uid is known
 * @param walltime null means unlimited or unknown
 */
public record JobRequest(
        String name,
        String user,
        String uid,
        String account,
        String partition,
        Resources resources,
        @Nullable Duration walltime) {

    public static final JobRequest UNKNOWN = new JobRequest("", "", "", "", "", Resources.NONE, null);

    /** @param names user names by uid */
    public UserName owner(final Map<String, String> names) {
        return NameMapping.user(user.isEmpty() ? names.getOrDefault(uid, "") : user, uid);
    }

    /** Adds the resources of another component of the same heterogeneous job. Each component has nodes of its own. */
    public JobRequest plus(final JobRequest component) {
        final Resources sum = resources.plus(component.resources);
        return new JobRequest(
                name,
                user,
                uid,
                account,
                partition,
                new Resources(
                        sum.cores(),
                        Math.max(1, resources.nodes()) + Math.max(1, component.resources.nodes()),
                        sum.memoryMib(),
                        sum.gpus()),
                walltime);
    }

    /** A node count of 1 becomes 0, which means that the job requested no particular number. */
    public static Resources resources(final int cores, final int nodes, final long memory_mib, final int gpus) {
        return new Resources(cores, nodes > 1 ? nodes : 0, memory_mib, gpus);
    }
}
