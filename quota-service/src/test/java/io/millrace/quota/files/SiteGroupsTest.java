package io.millrace.quota.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.quota.GroupMemberships;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SiteGroupsTest {

    private static final Map<QuotaHolder, Set<QuotaHolder>> FILE = Map.of(
            QuotaHolder.of("group:science"), Set.of(QuotaHolder.of("bob"), QuotaHolder.of("group:chemistry")),
            QuotaHolder.of("group:chemistry"), Set.of(QuotaHolder.of("cleo"), QuotaHolder.of("project:acids")));

    @Test
    void a_member_of_a_group_is_a_member_of_all_groups_above_it() {
        final GroupMemberships members = SiteGroups.of(FILE, Map.of());

        assertThat(members.of(UserName.of("bob"))).containsExactly("science");
        assertThat(members.of(UserName.of("cleo"))).containsExactlyInAnyOrder("chemistry", "science");
        assertThat(members.of(UserName.of("bob"), ProjectName.of("acids"))).containsExactly("chemistry", "science");
        assertThat(members.of(UserName.of("zoe"))).isEmpty();
        assertThat(members.hasMembers("chemistry")).isTrue();
        assertThat(members.hasMembers("staff")).isFalse();
    }

    @Test
    void groups_in_the_settings_apply_if_the_file_has_no_groups() {
        final GroupMemberships members =
                SiteGroups.of(Map.of(), Map.of("students", Set.of("anna"), "workers", Set.of("anna", "bob")));

        assertThat(members.of(UserName.of("anna"))).containsExactlyInAnyOrder("students", "workers");
        assertThat(members.of(UserName.of("bob"))).containsExactly("workers");
    }

    @Test
    void groups_in_the_file_and_in_the_settings_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SiteGroups.of(FILE, Map.of("students", Set.of("anna"), "ants", Set.of("bob"))))
                .withMessage(
                        "groups are defined in both the quota file and the settings: add them under 'groups:' in the"
                                + " quota file (millrace.quota.file) and remove the settings millrace.quota.groups.ants,"
                                + " millrace.quota.groups.students");
    }
}
