package io.millrace.quota.domain.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GroupMembershipsTest {

    private static final List<QuotaGroup> GROUPS =
            List.of(group("science", "bob", "group:chemistry"), group("chemistry", "cleo", "project:acids"));

    private static QuotaGroup group(final String name, final String... members) {
        return new QuotaGroup(
                new QuotaHolder(QuotaHolder.Kind.GROUP, name),
                Stream.of(members).map(member -> QuotaHolder.of(member)).collect(Collectors.toSet()),
                QuotaFileMerge.FILE,
                "as read",
                Instant.EPOCH,
                1);
    }

    @Test
    void a_member_of_a_group_is_a_member_of_all_groups_above_it() {
        final GroupMemberships members = GroupMemberships.of(GROUPS);

        assertThat(members.of(UserName.of("bob"))).containsExactly("science");
        assertThat(members.of(UserName.of("cleo"))).containsExactlyInAnyOrder("chemistry", "science");
        assertThat(members.of(UserName.of("bob"), ProjectName.of("acids"))).containsExactly("chemistry", "science");
        assertThat(members.of(UserName.of("zoe"))).isEmpty();
        assertThat(members.hasMembers("chemistry")).isTrue();
        assertThat(members.hasMembers("staff")).isFalse();
    }
}
