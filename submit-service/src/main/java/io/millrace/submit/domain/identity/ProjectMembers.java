package io.millrace.submit.domain.identity;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who is a member of which project.
 *
 * @param listed the projects of the site's file
 */
public record ProjectMembers(Map<ProjectName, Members> listed) {

    public ProjectMembers {
        listed = Map.copyOf(listed);
    }

    /** The members of a project that is not listed. */
    public enum Unlisted {
        /** Those of the Unix group with the project's name. */
        GROUP,
        NONE,
        ALL
    }

    /**
     * @param users names and patterns
     * @param groups Unix groups of the host of submit-service
     */
    public record Members(List<NamePattern> users, List<String> groups) {
        public Members {
            users = List.copyOf(users);
            groups = List.copyOf(groups);
        }
    }

    /** @param groupsOf the Unix groups of a user; called only if the answer depends on them */
    public boolean contains(
            final ProjectName project,
            final UserName user,
            final Unlisted unlisted,
            final Function<UserName, Set<String>> groupsOf) {
        final @Nullable Members members = listed.get(project);
        if (members == null) {
            return switch (unlisted) {
                case GROUP -> groupsOf.apply(user).contains(project.value());
                case NONE -> false;
                case ALL -> true;
            };
        }
        return members.users().stream().anyMatch(member -> member.matches(user.value()))
                || !members.groups().isEmpty() && groupsOf.apply(user).stream().anyMatch(members.groups()::contains);
    }
}
