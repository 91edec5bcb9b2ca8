package io.millrace.agent.site;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * S-5: whether the owner of a local job is a member of the project that the job names. submit-service has checked this for global jobs only,
 * and several workload managers accept any name ({@code qsub -P}, {@code bsub -P}).
 */
public final class LocalProjects {

    /** Whose word counts. */
    public enum Trust {
        /** Members of the Unix group with the name of the project on this host. */
        GROUP,
        /** Everybody, because the workload manager checks it. */
        ALL,
        /** Nobody. */
        NONE
    }

    enum Membership {
        MEMBER,
        STRANGER,
        UNKNOWN
    }

    private final Trust trust;
    private final Function<UserName, Optional<Set<String>>> groups;

    public LocalProjects(final Trust trust) {
        this(trust, new UnixGroups()::of);
    }

    /** @param groups of an account; empty: not known yet */
    LocalProjects(final Trust trust, final Function<UserName, Optional<Set<String>>> groups) {
        this.trust = trust;
        this.groups = groups;
    }

    /** Never waits for the name service. Account and project by their names on this cluster. */
    Membership of(final UserName account, final ProjectName project) {
        return switch (trust) {
            case ALL -> Membership.MEMBER;
            case NONE -> Membership.STRANGER;
            case GROUP ->
                groups.apply(account)
                        .map(all -> all.contains(project.value()) ? Membership.MEMBER : Membership.STRANGER)
                        .orElse(Membership.UNKNOWN);
        };
    }
}
