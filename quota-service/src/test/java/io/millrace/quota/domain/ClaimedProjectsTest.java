package io.millrace.quota.domain;

import static io.millrace.quota.domain.QuotaScenario.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.testing.Attack;
import org.junit.jupiter.api.Test;

/** S-5: a local job whose agent does not vouch for its project. */
class ClaimedProjectsTest {

    private static QuotaScenario scene() {
        return cluster(8)
                .quotaOf("project:secretproj", 8)
                .runs("b", "bob", 8, 10)
                .waits("m", "mallory", 4);
    }

    @Test
    @Attack("a stranger's job is guaranteed by the quota of a project and preempts others for it")
    void a_job_that_only_claims_a_project_is_borrowed_preempts_nothing_and_is_told_why() {
        assertThat(scene().forProject("secretproj").plan().reclaims())
                .as("of a member")
                .hasSize(1);

        final QuotaScenario claimed = scene().claimingProject("secretproj");
        final Entitlement decided = claimed.plan().entitlements().get(claimed.key("m"));

        assertThat(decided.level()).isNotEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(decided.reason())
                .doesNotContain("within quota")
                .endsWith(
                        "it does not charge project 'secretproj', because user 'mallory' is not known as a member on the"
                                + " cluster");
        assertThat(claimed.plan().reclaims()).isEmpty();
    }
}
