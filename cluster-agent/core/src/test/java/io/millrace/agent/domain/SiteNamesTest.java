package io.millrace.agent.domain;

import static io.millrace.agent.domain.TestJobs.CLUSTER;
import static io.millrace.agent.domain.TestJobs.RUNNING;
import static io.millrace.agent.domain.TestJobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.testing.Attack;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On this cluster anna is as12, and both bert and cleo work as lab; climate is charged to p1. */
class SiteNamesTest {

    private static SiteNames names(final boolean listedOnly) {
        return new SiteNames(new SiteMappingObserved(
                CLUSTER,
                listedOnly,
                Map.of(user("anna"), user("as12"), user("bert"), user("lab"), user("cleo"), user("lab")),
                Map.of(ProjectName.of("climate"), ProjectName.of("p1")),
                Map.of()));
    }

    private static UserName user(final String name) {
        return UserName.of(name);
    }

    @Test
    void who_is_listed_goes_by_the_account_and_who_is_not_by_the_own_name() {
        assertThat(names(false).account(user("anna"))).isEqualTo(user("as12"));
        assertThat(names(false).refusal(user("dora"))).isEmpty();
        assertThat(names(false).account(user("dora"))).isEqualTo(user("dora"));
        assertThat(names(false).project(ProjectName.of("climate"))).isEqualTo(ProjectName.of("p1"));
    }

    @Test
    void if_only_listed_users_may_run_the_others_are_refused() {
        assertThat(names(true).refusal(user("anna"))).isEmpty();
        assertThat(names(true).refusal(user("dora")))
                .hasValueSatisfying(because -> assertThat(because)
                        .contains("'dora' has no account on 'alpha'")
                        .contains("'accounts'"));
    }

    @Test
    void no_user_submits_into_the_account_of_another_user() {
        assertThat(names(false).refusal(user("as12")))
                .hasValueSatisfying(because -> assertThat(because).contains("belongs to site user 'anna'"));
    }

    @Test
    @Attack("charge the project of others on a cluster where it has the name of one's own")
    void no_job_is_charged_to_the_project_of_another_site_project() {
        assertThat(names(false).refusal(ProjectName.of("p1")))
                .hasValueSatisfying(because -> assertThat(because).contains("belongs to site project 'climate'"));
        assertThat(names(false).refusal(ProjectName.of("climate"))).isEmpty();
        assertThat(names(false).refusal(ProjectName.of("p2"))).isEmpty();
        assertThat(SiteNames.same(CLUSTER).refusal(ProjectName.of("p1"))).isEmpty();
    }

    @Test
    void observed_jobs_are_shown_by_the_sites_names() {
        assertThat(names(false).toSite(job(1, "as12", 1, RUNNING)).owner()).isEqualTo(user("anna"));
        assertThat(names(false).toSite(job(1, "dora", 1, RUNNING)).owner()).isEqualTo(user("dora"));
        assertThat(names(false).toSite(job(1, "anna", 1, RUNNING)).owner())
                .as("an account that is called like a site user, and is not")
                .isEqualTo(user("anna@alpha"));
        assertThat(names(false).projectOf(ProjectName.of("p1"))).isEqualTo(ProjectName.of("climate"));
        assertThat(names(false).projectOf(ProjectName.of("climate")))
                .as("a project that is called like a site project, and is not")
                .isEqualTo(ProjectName.of("climate@alpha"));
        assertThat(names(false).projectOf(ProjectName.of("p2"))).isEqualTo(ProjectName.of("p2"));
        assertThat(SiteNames.same(CLUSTER).toSite(job(1, "anna", 1, RUNNING))).isEqualTo(job(1, "anna", 1, RUNNING));
    }

    @Test
    void a_token_is_given_only_to_an_account_that_is_one_persons() {
        assertThat(names(false).soleUser(user("as12"))).contains(user("anna"));
        assertThat(names(false).soleUser(user("dora"))).contains(user("dora"));
        assertThat(names(false).soleUser(user("lab"))).as("of two").isEmpty();
        assertThat(names(false).soleUser(user("anna"))).as("another anna").isEmpty();
        assertThat(names(true).soleUser(user("dora"))).as("not listed").isEmpty();
    }
}
