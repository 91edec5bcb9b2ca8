package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Map;

/**
 * The names that a cluster uses for the site's users, projects and software, from the agent's settings.
 *
 * @param listedOnly whether only the users in {@code accounts} may run jobs here; otherwise all users keep their names
 * @param accounts by site user, the account on this cluster
 * @param projects by site project, the project of this cluster's workload manager
 * @param modules by name of a software, the environment modules to load for it, in this order
 */
public record SiteMappingObserved(
        ClusterId cluster,
        boolean listedOnly,
        Map<UserName, UserName> accounts,
        Map<ProjectName, ProjectName> projects,
        Map<String, List<String>> modules)
        implements ClusterStateEvent {

    public SiteMappingObserved {
        accounts = Map.copyOf(accounts);
        projects = Map.copyOf(projects);
        modules = Map.copyOf(modules);
    }

    public static String keyOf(final ClusterId cluster) {
        return cluster + "/site-mapping";
    }

    @Override
    public String key() {
        return keyOf(cluster);
    }

    /** Whether this site user may run jobs here. */
    public boolean knows(final UserName user) {
        return !listedOnly || accounts.containsKey(user);
    }
}
