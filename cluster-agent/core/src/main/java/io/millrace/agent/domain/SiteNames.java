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
 * Translates users and projects between site names and cluster names. Names that are not listed are the same on both sides, unless the name
 * belongs to another user on the other side.
 */
public final class SiteNames {

    private final SiteMappingObserved siteMapping;
    private final Map<UserName, UserName> users = new HashMap<>();
    private final Set<UserName> shared = new HashSet<>();
    private final Map<ProjectName, ProjectName> projects = new HashMap<>();

    public SiteNames(final SiteMappingObserved siteMapping) {
        this.siteMapping = siteMapping;
        siteMapping.accounts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> {
                    if (users.putIfAbsent(entry.getValue(), entry.getKey()) != null) {
                        shared.add(entry.getValue());
                    }
                });
        siteMapping.projects().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> projects.putIfAbsent(entry.getValue(), entry.getKey()));
    }

    /** A cluster without mapping. */
    public static SiteNames same(final ClusterId cluster) {
        return new SiteNames(SiteMappingObserved.none(cluster));
    }

    public SiteMappingObserved siteMapping() {
        return siteMapping;
    }

    /** Why this site user may not run jobs on this cluster; empty if the user may. */
    public Optional<String> refusal(final UserName user) {
        if (siteMapping.accounts().containsKey(user)) {
            return Optional.empty();
        }
        if (siteMapping.listedOnly()) {
            return Optional.of("user '" + user + "' has no account on '" + siteMapping.cluster()
                    + "', which accepts listed users only; ask its operators to add a line under 'accounts' in"
                    + " the site mapping");
        }
        final UserName other = users.get(user);
        return other == null
                ? Optional.empty()
                : Optional.of("account '" + user + "' of '" + siteMapping.cluster() + "' belongs to site user '"
                        + other + "'; ask its operators to add a line for '" + user
                        + "' under 'accounts' in the site mapping");
    }

    /** Why no job is charged to this site project on this cluster; empty if it is not the name of another one's here. */
    public Optional<String> refusal(final ProjectName project) {
        final ProjectName other = siteMapping.projects().containsKey(project) ? null : projects.get(project);
        return other == null
                ? Optional.empty()
                : Optional.of("project '" + project + "' of '" + siteMapping.cluster() + "' belongs to site project '"
                        + other + "'; ask its operators to add a line for '" + project
                        + "' under 'projects' in the site mapping");
    }

    /** The account of a site user who is not refused. */
    public UserName account(final UserName user) {
        return siteMapping.accounts().getOrDefault(user, user);
    }

    public ProjectName project(final ProjectName project) {
        return siteMapping.projects().getOrDefault(project, project);
    }

    /**
     * The site user of an account. An account without site user whose name equals a site user with another account is written
     * {@code name@cluster}, so that its usage is not charged to the wrong user.
     */
    public UserName user(final UserName account) {
        final UserName user = users.get(account);
        if (user != null) {
            return user;
        }
        return siteMapping.accounts().containsKey(account)
                ? UserName.of(account + "@" + siteMapping.cluster())
                : account;
    }

    /**
     * The site project of a project of the cluster. One that is called like a site project with another name here is written
     * {@code name@cluster}, so that the site project does not pay for it.
     */
    public ProjectName projectOf(final ProjectName project) {
        final ProjectName known = projects.get(project);
        if (known != null) {
            return known;
        }
        return siteMapping.projects().containsKey(project)
                ? ProjectName.of(project + "@" + siteMapping.cluster())
                : project;
    }

    /**
     * The only site user of an account; empty if there is none or more than one.
     */
    public Optional<UserName> soleUser(final UserName account) {
        final UserName user = user(account);
        return shared.contains(account)
                        || refusal(user).isPresent()
                        || !account(user).equals(account)
                ? Optional.empty()
                : Optional.of(user);
    }

    /** The job with cluster names. */
    public JobSpec toCluster(final JobSpec spec) {
        final ProjectName project = spec.project();
        return project == null ? spec : spec.withProject(project(project));
    }

    /** An observed job with site names. */
    public JobObserved toSite(final JobObserved seen) {
        final ProjectName project = seen.project();
        final UserName owner = user(seen.owner());
        final ProjectName charged = project == null ? null : projectOf(project);
        return owner.equals(seen.owner()) && (project == null || project.equals(charged))
                ? seen
                : seen.of(owner, charged);
    }
}
