package io.millrace.agent.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.job.JobSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The site's names for users and projects, and the cluster's. What is not listed goes by its own name, unless that name belongs to
 * somebody else on the other side: then nobody is taken for another.
 */
public final class SiteNames {

    private final SiteMappingObserved surroundings;
    private final Map<UserName, UserName> users = new HashMap<>();
    private final Set<UserName> shared = new HashSet<>();
    private final Map<ProjectName, ProjectName> projects = new HashMap<>();

    public SiteNames(final SiteMappingObserved surroundings) {
        this.surroundings = surroundings;
        surroundings.accounts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> {
                    if (users.putIfAbsent(entry.getValue(), entry.getKey()) != null) {
                        shared.add(entry.getValue());
                    }
                });
        surroundings.projects().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> projects.putIfAbsent(entry.getValue(), entry.getKey()));
    }

    /** A cluster where everybody goes by the own name. */
    public static SiteNames same(final ClusterId cluster) {
        return new SiteNames(new SiteMappingObserved(cluster, false, Map.of(), Map.of(), Map.of()));
    }

    public SiteMappingObserved surroundings() {
        return surroundings;
    }

    /** Why this site user may not run anything here; empty if there is no reason. */
    public Optional<String> refusal(final UserName user) {
        if (surroundings.accounts().containsKey(user)) {
            return Optional.empty();
        }
        if (surroundings.listedOnly()) {
            return Optional.of("user '" + user + "' has no account on '" + surroundings.cluster()
                    + "': its surroundings list all who have one; ask its operators to add a line under 'accounts'");
        }
        final UserName other = users.get(user);
        return other == null
                ? Optional.empty()
                : Optional.of("account '" + user + "' of '" + surroundings.cluster() + "' belongs to site user '"
                        + other + "'; ask its operators to add a line for '" + user + "' under 'accounts'");
    }

    /** The account of a site user who is not refused. */
    public UserName account(final UserName user) {
        return surroundings.accounts().getOrDefault(user, user);
    }

    public ProjectName project(final ProjectName project) {
        return surroundings.projects().getOrDefault(project, project);
    }

    /**
     * Who stands behind an account. An account that is no site user's, but is called like one who has another account here, is written
     * {@code name@cluster}: its work is not charged to the wrong person.
     */
    public UserName user(final UserName account) {
        final UserName user = users.get(account);
        if (user != null) {
            return user;
        }
        return surroundings.accounts().containsKey(account)
                ? UserName.of(account + "@" + surroundings.cluster())
                : account;
    }

    public ProjectName projectOf(final ProjectName project) {
        return projects.getOrDefault(project, project);
    }

    /**
     * The one site user who may speak for an account; empty if there is none, or more than one.
     */
    public Optional<UserName> soleUser(final UserName account) {
        final UserName user = user(account);
        return shared.contains(account)
                        || refusal(user).isPresent()
                        || !account(user).equals(account)
                ? Optional.empty()
                : Optional.of(user);
    }

    /** A job as the cluster's workload manager is to understand it. */
    public JobSpec toCluster(final JobSpec spec) {
        final ProjectName project = spec.project();
        return project == null || project(project).equals(project)
                ? spec
                : new JobSpec(
                        spec.name(),
                        spec.script(),
                        spec.make(),
                        spec.resources(),
                        spec.walltime(),
                        spec.partition(),
                        project(project),
                        spec.environment(),
                        spec.checkpoint(),
                        spec.strict());
    }

    /** An observed job by the site's names. */
    public JobObserved toSite(final JobObserved seen) {
        final ProjectName project = seen.project();
        final UserName owner = user(seen.owner());
        final ProjectName charged = project == null ? null : projectOf(project);
        return owner.equals(seen.owner()) && (project == null || project.equals(charged))
                ? seen
                : seen.of(owner, charged);
    }
}
