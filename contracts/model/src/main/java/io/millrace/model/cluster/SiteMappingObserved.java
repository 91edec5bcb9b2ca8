package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that a cluster uses for the site's users, projects, partitions and software, from the agent's settings.
 *
 * @param listedOnly whether only the users in {@code accounts} may run jobs here; otherwise all users keep their names
 * @param accounts by site user, the account on this cluster
 * @param projects by site project, the project of this cluster's workload manager
 * @param modules by name of a software, the environment modules to load for it, in this order
 * @param acceptedIssuers whose logins may vouch for the owners of jobs here; null for the cluster's own only
 * @param partitions by the site's name for partitions, what it means here; null: the site has no names of its own
 */
public record SiteMappingObserved(
        ClusterId cluster,
        boolean listedOnly,
        Map<UserName, UserName> accounts,
        Map<ProjectName, ProjectName> projects,
        Map<String, List<String>> modules,
        @Nullable Set<ClusterId> acceptedIssuers,
        @Nullable Map<PartitionName, SitePartition> partitions)
        implements ClusterStateEvent {

    public SiteMappingObserved {
        accounts = Map.copyOf(accounts);
        projects = Map.copyOf(projects);
        modules = Map.copyOf(modules);
        acceptedIssuers = acceptedIssuers == null ? null : Set.copyOf(acceptedIssuers);
        partitions = partitions == null || partitions.isEmpty() ? null : Map.copyOf(partitions);
    }

    /** Accepts only owners of jobs for whom the cluster's own login vouched. */
    public SiteMappingObserved(
            final ClusterId cluster,
            final boolean listedOnly,
            final Map<UserName, UserName> accounts,
            final Map<ProjectName, ProjectName> projects,
            final Map<String, List<String>> modules) {
        this(cluster, listedOnly, accounts, projects, modules, null, null);
    }

    /** A cluster without mapping. */
    public static SiteMappingObserved none(final ClusterId cluster) {
        return new SiteMappingObserved(cluster, false, Map.of(), Map.of(), Map.of());
    }

    public SiteMappingObserved accepting(final Set<ClusterId> issuers) {
        return new SiteMappingObserved(cluster, listedOnly, accounts, projects, modules, issuers, partitions);
    }

    public SiteMappingObserved naming(final Map<PartitionName, SitePartition> names) {
        return new SiteMappingObserved(cluster, listedOnly, accounts, projects, modules, acceptedIssuers, names);
    }

    /** What the site's names for partitions mean here. */
    public Map<PartitionName, SitePartition> sitePartitions() {
        return partitions == null ? Map.of() : partitions;
    }

    public static String keyOf(final ClusterId cluster) {
        return new ClusterStateKey.SiteMapping(cluster).toString();
    }

    @Override
    public String key() {
        return keyOf(cluster);
    }

    /**
     * Whether a job may run here whose owner this issuer vouched for.
     *
     * @param issuer null for a registered tool, which submit-service vouches for
     */
    public boolean accepts(final @Nullable ClusterId issuer) {
        return issuer == null || issuer.equals(cluster) || acceptedIssuers != null && acceptedIssuers.contains(issuer);
    }

    /** Whether this site user may run jobs here. */
    public boolean knows(final UserName user) {
        return !listedOnly || accounts.containsKey(user);
    }
}
