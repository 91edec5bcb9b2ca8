package io.millrace.model.quota;

import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.Set;

/**
 * The members of a group that can hold quotas.
 *
 * @param group a holder of kind group
 * @param members users, projects and other groups; each is in one group at most, and no group is within itself
 * @param version counts the changes of this group, from 1
 */
public record QuotaGroup(
        QuotaHolder group, Set<QuotaHolder> members, UserName author, String reason, Instant changedAt, long version)
        implements Event {

    public QuotaGroup {
        if (group.kind() != QuotaHolder.Kind.GROUP) {
            throw new IllegalArgumentException("'" + group + "' is not a group; expected group:name");
        }
        members = Set.copyOf(members);
    }

    @Override
    public String key() {
        return group.toString();
    }
}
