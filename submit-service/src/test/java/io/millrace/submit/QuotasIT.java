package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.Usage;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class QuotasIT {

    private static final String CHANGE = "{\"cores\": 32, \"reason\": \"project of March\"}";

    private final String user = "q" + UUID.randomUUID().toString().substring(0, 8);
    private final String path = "/api/v1/quotas/alpha/" + user;
    private ApiClient mine;
    private ApiClient operators;

    @BeforeEach
    void clusters() {
        mine = ApiClient.as(user);
        operators = ApiClient.as(TestSite.OPERATOR);
        seen(TestData.clusters());
    }

    private void seen(final String position) {
        assertThat(mine.get("/api/v1/quotas", "Millrace-Offset", position).status())
                .isEqualTo(200);
    }

    private Quota quota(final int cores, final long version) {
        return new Quota(
                UserName.of(user),
                TestData.ALPHA,
                cores,
                UserName.of("olga"),
                "as agreed",
                Instant.parse("2026-03-01T00:00:00Z"),
                version);
    }

    @Test
    void a_quota_is_shown_with_its_version_as_etag_and_its_use() {
        seen(TestData.publish(quota(16, 3)));
        seen(TestData.publish(new Usage(TestData.ALPHA, UserName.of(user), 8, 4, 2, 16, 0)));

        final ApiClient.Answer shown = mine.get(path);

        assertThat(shown.header("ETag")).isEqualTo("\"3\"");
        assertThat(shown.body().path("cores").asInt()).isEqualTo(16);
        assertThat(shown.body().path("usage").path("borrowedCores").asInt()).isEqualTo(4);
        assertThat(mine.get("/api/v1/quotas").body().path("quotas")).hasSize(1);
        assertThat(operators.get("/api/v1/quotas?user=" + user).body().path("quotas"))
                .hasSize(1);
        assertThat(ApiClient.as("mallory").get(path).status()).isEqualTo(404);
    }

    @Test
    void a_change_based_on_the_version_in_force_is_asked_for_and_shown_until_it_is_in_force() {
        seen(TestData.publish(quota(16, 3)));

        final ApiClient.Answer asked = operators.put(path, CHANGE, "If-Match", "\"3\"");

        assertThat(asked.status()).as(asked.response().body()).isEqualTo(202);
        final JsonNode before = mine.get(path, "Millrace-Offset", asked.header("Millrace-Offset"))
                .body();
        assertThat(before.path("cores").asInt()).isEqualTo(16);
        assertThat(before.path("request").path("cores").asInt()).isEqualTo(32);
        assertThat(before.path("request").path("author").asText()).isEqualTo("olga");
        seen(TestData.publish(quota(32, 4)));
        final JsonNode after = mine.get(path).body();
        assertThat(after.path("cores").asInt()).isEqualTo(32);
        assertThat(after.has("request")).isFalse();
    }

    @Test
    void a_change_based_on_another_version_is_refused() {
        seen(TestData.publish(quota(16, 3)));

        assertThat(operators.put(path, CHANGE, "If-Match", "\"2\"").status()).isEqualTo(412);
        assertThat(operators.put(path, CHANGE).status()).isEqualTo(428);
        assertThat(operators.put(path, CHANGE, "If-Match", "three").status()).isEqualTo(400);
    }

    @Test
    void a_first_quota_is_based_on_version_zero() {
        assertThat(operators.get(path).header("ETag")).isEqualTo("\"0\"");
        assertThat(operators.put(path, CHANGE, "If-Match", "\"0\"").status()).isEqualTo(202);
    }

    @Test
    void a_removal_is_requested_for_the_version_in_force_and_shown_until_it_is_answered() {
        seen(TestData.publish(quota(16, 3)));
        final String removal = path + "?reason=project%20ended";
        assertThat(operators
                        .send("DELETE", removal, (String) null, "If-Match", "\"2\"")
                        .status())
                .isEqualTo(412);
        assertThat(operators
                        .send("DELETE", path, (String) null, "If-Match", "\"3\"")
                        .status())
                .as("without a reason")
                .isEqualTo(422);
        assertThat(mine.send("DELETE", removal, (String) null, "If-Match", "\"3\"")
                        .status())
                .isEqualTo(403);

        final ApiClient.Answer accepted = operators.send("DELETE", removal, (String) null, "If-Match", "\"3\"");

        assertThat(accepted.status()).as(accepted.response().body()).isEqualTo(202);
        final JsonNode before = mine.get(path, "Millrace-Offset", accepted.header("Millrace-Offset"))
                .body();
        assertThat(before.path("cores").asInt()).isEqualTo(16);
        assertThat(before.path("request").path("reason").asText()).isEqualTo("project ended");
        assertThat(before.path("request").has("cores")).isFalse();
        seen(TestData.gone(new OutgoingEvent.Remove(Topic.QUOTAS, "alpha/" + user, null)));
        final ApiClient.Answer after = mine.get(path);
        assertThat(after.header("ETag")).isEqualTo("\"0\"");
        assertThat(after.body().has("request")).isFalse();
        assertThat(operators
                        .send("DELETE", removal, (String) null, "If-Match", "\"0\"")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void quotas_of_an_unknown_cluster_are_reported_to_operators() {
        final ClusterId misspelt = ClusterId.of("alpah-" + user);
        seen(TestData.publish(new Quota(
                UserName.of(user), misspelt, 4, UserName.of("file"), "from the quota file", Instant.now(), 1)));

        assertThat(operators.get("/api/v1/quotas").body().path("warnings").toString())
                .contains("no agent has reported cluster '" + misspelt + "'")
                .doesNotContain("cluster 'alpha'");
        assertThat(mine.get("/api/v1/quotas").body().path("warnings")).isEmpty();
    }

    @Test
    void only_operators_change_quotas_even_their_own() {
        assertThat(mine.put(path, CHANGE, "If-Match", "\"0\"").status()).isEqualTo(403);
    }

    @Test
    void figures_and_reason_are_checked() {
        assertThat(operators
                        .put(path, "{\"cores\": -1, \"reason\": \"x\"}", "If-Match", "\"0\"")
                        .status())
                .isEqualTo(422);
        assertThat(operators
                        .put(path, "{\"cores\": 4.5, \"reason\": \"x\"}", "If-Match", "\"0\"")
                        .status())
                .isEqualTo(422);
        assertThat(operators
                        .put(path, "{\"cores\": 99999999999, \"reason\": \"x\"}", "If-Match", "\"0\"")
                        .status())
                .isEqualTo(422);
        assertThat(operators.put(path, "{\"cores\": 4}", "If-Match", "\"0\"").status())
                .isEqualTo(422);
        assertThat(operators
                        .put("/api/v1/quotas/nowhere/x", CHANGE, "If-Match", "\"0\"")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void of_two_changes_on_one_version_the_second_is_shown_as_refused() {
        seen(TestData.publish(quota(16, 3)));
        final ApiClient.Answer lost = operators.put(path, CHANGE, "If-Match", "\"3\"");
        final QuotaRequested asked = new QuotaRequested(
                UserName.of(user),
                TestData.ALPHA,
                32,
                UserName.of("olga"),
                "project of March",
                3,
                Instant.parse(lost.body().path("requestedAt").asText()),
                null,
                null);
        seen(TestData.publish(new QuotaRefused(asked, "in force is version 4", Instant.parse("2036-03-01T00:00:00Z"))));

        final JsonNode shown = mine.get(path).body();

        assertThat(shown.path("refusal").path("reason").asText()).isEqualTo("in force is version 4");
        assertThat(shown.path("refusal").path("request").path("cores").asInt()).isEqualTo(32);
        assertThat(shown.has("request")).as("it is answered").isFalse();
    }

    @Test
    void a_project_has_a_quota_of_all_clusters_with_terms_that_its_members_may_see() {
        final String physics = "/api/v1/quotas/*/project:p" + user;
        final ApiClient.Answer asked = operators.put(physics, """
                {"cores": 2000000, "reason": "campaign", "gpus": 8, "periods": [
                 {"from": "2026-03-09T00:00:00+01:00", "until": "2026-03-16T00:00:00+01:00", "cores": 256}]}""", "If-Match", "\"0\"");

        assertThat(asked.status()).as(asked.response().body()).isEqualTo(202);
        assertThat(asked.body().path("warnings").path(0).asText()).contains("2000000 cores exceed the");
        final JsonNode shown = mine.get(physics, "Millrace-Offset", asked.header("Millrace-Offset"))
                .body();
        assertThat(shown.path("cluster").asText()).isEqualTo("*");
        assertThat(shown.path("holder").asText()).isEqualTo("project:p" + user);
        assertThat(shown.path("request").path("terms").path("gpus").asInt()).isEqualTo(8);
        assertThat(shown.path("request")
                        .path("terms")
                        .path("periods")
                        .path(0)
                        .path("from")
                        .asText())
                .isEqualTo("2026-03-08T23:00:00.000Z");
    }

    @Test
    @Attack("a stranger reads the quota of a project")
    void strangers_see_no_quota_of_a_project_or_group() {
        for (final String holder : List.of("project:secretproj", "group:unknown")) {
            final ApiClient.Answer answer = mine.get("/api/v1/quotas/*/" + holder);
            assertThat(answer.status()).as(holder).isEqualTo(404);
            assertThat(answer.body().path("detail").asText()).isEqualTo("quota of '" + holder + "' not found");
            assertThat(operators.get("/api/v1/quotas/*/" + holder).status()).isEqualTo(200);
        }
        assertThat(ApiClient.as("boss-of-secretproj")
                        .get("/api/v1/quotas/*/project:secretproj")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void terms_that_make_no_sense_are_refused_by_name() {
        refused("*", "\"lendingLimit\": 3", "'lendingLimit' applies to a single cluster");
        refused("alpha", "\"gpus\": -1", "'gpus' must be between 0 and");
        refused("alpha", "\"periods\": [{\"from\": \"monday\"}]", "'periods.0.from' must be a time with zone");
        final String day = "{\"from\": \"2026-03-0%dT00:00:00Z\", \"until\": \"2026-03-0%dT00:00:00Z\", \"cores\": 1}";
        refused(
                "alpha",
                "\"periods\": [" + day.formatted(1, 3) + ", " + day.formatted(2, 4) + "]",
                "two periods overlap");
    }

    private void refused(final String cluster, final String term, final String reason) {
        final ApiClient.Answer answer = operators.put(
                "/api/v1/quotas/" + cluster + "/" + user,
                "{\"cores\": 4, \"reason\": \"x\", " + term + "}",
                "If-Match",
                "\"0\"");
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("detail").asText()).contains(reason);
    }

    @Test
    void a_user_whose_jobs_have_all_ended_is_known() {
        seen(TestData.publish(TestData.ended(
                TestData.key(TestData.ALPHA, 15),
                user,
                null,
                Instant.parse("2026-03-01T11:00:00Z"),
                new RunOutcome.Exited(0))));

        assertThat(operators
                        .put(path, CHANGE, "If-Match", "\"0\"")
                        .body()
                        .path("warnings")
                        .toString())
                .doesNotContain("no jobs");
    }

    @Test
    void a_user_who_has_submitted_a_job_is_known() {
        seen(TestData.publish(TestData.submitted(TestData.id(), user, "solve")));

        assertThat(operators
                        .put(path, CHANGE, "If-Match", "\"0\"")
                        .body()
                        .path("warnings")
                        .toString())
                .doesNotContain("no jobs");
    }

    @Test
    void an_unknown_user_is_named() {
        final ClusterId closed = ClusterId.of("closed-" + user);
        TestData.publish(new SiteMappingObserved(
                closed, true, Map.of(UserName.of("ben"), UserName.of("b1")), Map.of(), Map.of()));
        seen(TestData.publish(TestData.marker(closed, 1, 4)));
        try {
            final ApiClient.Answer refused =
                    operators.put("/api/v1/quotas/" + closed + "/" + user, CHANGE, "If-Match", "\"0\"");
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.body().path("detail").asText())
                    .contains(
                            "'" + user + "' has no account on " + closed, "add the user to the accounts of its agent");
            assertThat(mine.get("/api/v1/quotas/" + closed + "/" + user)
                            .body()
                            .path("version")
                            .asLong())
                    .isZero();

            final ApiClient.Answer open = operators.put(path, CHANGE, "If-Match", "\"0\"");
            assertThat(open.body().path("warnings").toString())
                    .as("a cluster without a list cannot tell")
                    .contains("user '" + user + "' has no quota and no jobs");
        } finally {
            seen(TestData.gone(new OutgoingEvent.Remove(Topic.CLUSTER_STATE, RevisionClosed.keyOf(closed), closed)));
        }
    }
}
