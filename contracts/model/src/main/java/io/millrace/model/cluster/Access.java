package io.millrace.model.cluster;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Set;

/**
 * Who may use a partition. An empty set on the allowing side means everybody; who is denied is denied also if allowed elsewhere.
 *
 * @param groups Unix groups
 */
public record Access(
        Set<UserName> users,
        Set<String> groups,
        Set<ProjectName> projects,
        Set<UserName> deniedUsers,
        Set<String> deniedGroups,
        Set<ProjectName> deniedProjects) {

    public static final Access EVERYBODY = new Access(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

    public Access {
        users = Set.copyOf(users);
        groups = Set.copyOf(groups);
        projects = Set.copyOf(projects);
        deniedUsers = Set.copyOf(deniedUsers);
        deniedGroups = Set.copyOf(deniedGroups);
        deniedProjects = Set.copyOf(deniedProjects);
    }
}
