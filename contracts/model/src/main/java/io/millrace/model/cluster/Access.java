package io.millrace.model.cluster;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The access rules of a partition. An empty set of allowed names allows all; a denial overrides every permission.
 *
 * @param groups Unix groups
 * @param qos Slurm's: a job of any other one does not start here; null: of whatever QoS
 * @param deniedQos a job of one of these does not start here; null: none
 */
public record Access(
        Set<UserName> users,
        Set<String> groups,
        Set<ProjectName> projects,
        Set<UserName> deniedUsers,
        Set<String> deniedGroups,
        Set<ProjectName> deniedProjects,
        @Nullable Set<String> qos,
        @Nullable Set<String> deniedQos) {

    public static final Access EVERYBODY =
            new Access(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), null, null);

    public Access {
        users = Set.copyOf(users);
        groups = Set.copyOf(groups);
        projects = Set.copyOf(projects);
        deniedUsers = Set.copyOf(deniedUsers);
        deniedGroups = Set.copyOf(deniedGroups);
        deniedProjects = Set.copyOf(deniedProjects);
        qos = qos == null ? null : Set.copyOf(qos);
        deniedQos = deniedQos == null ? null : Set.copyOf(deniedQos);
    }

    /** Whether a job with this QoS may use the partition; a job with an unknown QoS may. */
    public boolean takes(final @Nullable String jobs) {
        return jobs == null
                || ((qos == null || qos.contains(jobs)) && (deniedQos == null || !deniedQos.contains(jobs)));
    }
}
