package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.WeightedTerm;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class PriorityIT {

    private static final String RULES = "/api/v1/priority";
    private static final String CHANGE = """
            {"weights": {"age": 500, "size": -200}, "maxAge": "PT240H", "classFactorsPercent": {"wide": 80},
             "projectFactorsPercent": {"physics": 70}, "reason": "long waits"}""";

    private final ClusterId cluster =
            ClusterId.of("p" + UUID.randomUUID().toString().substring(0, 8));
    private final ApiClient anna = ApiClient.as("anna");
    private final ApiClient operators = ApiClient.as(TestSite.OPERATOR);

    @BeforeEach
    void cluster() {
        seen(TestData.publish(TestData.marker(cluster, 1, 8)));
    }

    private void seen(final String position) {
        assertThat(operators.get(RULES, "Millrace-Offset", position).status()).isEqualTo(200);
    }

    /** An older job of anna, and a newer job of bob, who has little past usage. */
    private void twoWait() {
        waits(1, "anna", term(PriorityTerm.AGE, 90, 1000), term(PriorityTerm.USE, 10, 0));
        waits(2, "bob", term(PriorityTerm.AGE, 20, 1000), term(PriorityTerm.USE, 100, 0));
        final JobKey running = TestData.key(cluster, 3);
        seen(TestData.publish(TestData.local(running, "anna", new JobState.Running(Instant.now(), List.of()), null)));
        seen(TestData.publish(new Entitlement(running, EntitlementLevel.GUARANTEED, 1_000_000, "within quota 16")));
    }

    private void waits(final int number, final String user, final WeightedTerm... terms) {
        final JobKey key = TestData.key(cluster, number);
        seen(TestData.publish(TestData.local(key, user, new JobState.Queued(), null)));
        seen(TestData.publish(new Entitlement(key, EntitlementLevel.BORROWED, 0, "beyond quota 0 (4 cores)")
                .weighed(List.of(terms))));
    }

    private static WeightedTerm term(final PriorityTerm term, final int percent, final int weight) {
        return new WeightedTerm(term, percent, weight);
    }

    @Test
    void waiting_jobs_are_listed_by_priority_with_each_term_and_only_ones_own() {
        twoWait();

        final JsonNode all =
                operators.get(RULES + "/jobs?cluster=" + cluster).body().path("jobs");
        assertThat(all).hasSize(2);
        assertThat(all.path(0).path("user").asText()).isEqualTo("anna");
        assertThat(all.path(0).path("priority").asLong()).isEqualTo(900);
        assertThat(all.path(0).path("terms").path(0).path("term").asText()).isEqualTo("age");
        assertThat(all.path(0).path("terms").path(0).path("points").asLong()).isEqualTo(900);
        assertThat(all.path(0).has("previewRank")).isFalse();
        final JsonNode bobs = ApiClient.as("bob")
                .get(RULES + "/jobs?cluster=" + cluster)
                .body()
                .path("jobs");
        assertThat(bobs).hasSize(1);
        assertThat(bobs.path(0).path("rank").asInt()).as("among all").isEqualTo(2);
        assertThat(anna.get(RULES + "/jobs?user=bob").status()).isEqualTo(403);
        assertThat(anna.get(RULES + "/jobs?cluster=nowhere").status()).isEqualTo(404);
    }

    @Test
    void a_preview_says_which_job_would_go_first_and_changes_nothing() {
        twoWait();

        final JsonNode jobs = operators
                .post(RULES + "/preview", "{\"weights\": {\"use\": 2000}, \"cluster\": \"" + cluster + "\"}")
                .body()
                .path("jobs");

        assertThat(jobs.path(0).path("user").asText()).isEqualTo("anna");
        assertThat(jobs.path(0).path("previewPriority").asLong()).isEqualTo(900 + 200);
        assertThat(jobs.path(0).path("previewRank").asInt()).isEqualTo(2);
        assertThat(jobs.path(1).path("previewPriority").asLong()).isEqualTo(200 + 2000);
        assertThat(jobs.path(1).path("previewRank").asInt()).isEqualTo(1);
        assertThat(operators
                        .get(RULES + "/jobs?cluster=" + cluster)
                        .body()
                        .path("jobs")
                        .path(0)
                        .path("priority")
                        .asLong())
                .isEqualTo(900);
        assertThat(anna.post(RULES + "/preview", "{\"weights\": {\"age\": 1}}").status())
                .isEqualTo(403);
        assertThat(operators.post(RULES + "/preview", "{}").status()).isEqualTo(422);
    }

    @Test
    void what_priorities_open_is_set_shown_tried_and_told() {
        partitions("main", "fast", "span");
        final JobKey annas = TestData.key(cluster, 1);
        seen(TestData.publish(TestData.local(annas, "anna", new JobState.Queued(), null)));
        seen(TestData.publish(new Entitlement(annas, EntitlementLevel.BORROWED, 0, "beyond quota 0 (4 cores)")
                .weighed(List.of(term(PriorityTerm.AGE, 90, 6000)))
                .withOtherPartitions(List.of(PartitionName.of("fast")))));
        waits(2, "bob", term(PriorityTerm.AGE, 20, 6000));
        final long version = operators.get(RULES).body().path("version").asLong();
        seen(TestData.publish(set(version + 1, overflow(5000, "fast"))));

        final ApiClient.Answer asked = operators.put(RULES, opening("fast"), "If-Match", "\"" + (version + 1) + "\"");

        assertThat(asked.status()).as(asked.response().body()).isEqualTo(202);
        assertThat(asked.body().path("warnings").path(0).asText())
                .contains("the rule has no effect on " + cluster)
                .contains("it does not support moving jobs between partitions");
        assertThat(anna.get(RULES)
                        .body()
                        .path("overflow")
                        .path(0)
                        .path("minPriority")
                        .asLong())
                .isEqualTo(5000);
        final JsonNode jobs = tried("\"weights\": {\"age\": 30000}");
        assertThat(jobs.path(0).path("partition").asText()).isEqualTo("main");
        assertThat(jobs.path(0).path("otherPartitions").toString()).isEqualTo("[\"fast\"]");
        assertThat(jobs.path(1).path("otherPartitions").toString()).isEqualTo("[]");
        assertThat(jobs.path(1).path("previewPartitions").toString()).isEqualTo("[\"fast\"]");
        assertThat(tried("\"overflow\": [{\"minPriority\": 1200, \"to\": [\"span\"]}]"))
                .extracting(job -> job.path("previewPartitions").toString())
                .containsExactly("[\"span\"]", "[\"span\"]");
        assertThat(tried("\"classFactorsPercent\": {}, \"maxAge\": \"PT1H\", \"weights\": {\"age\": 50}"))
                .extracting(job -> job.path("previewPriority").asLong())
                .as("both have waited longer than an hour")
                .containsExactly(50L, 50L);
        final JsonNode why = anna.get(
                        "/api/v1/local-jobs/why?job=" + annas.toString().replace(":", "%3A"))
                .body();
        assertThat(why.path("summary").asText())
                .contains("Its priority 5400 opens partition fast (from priority 5000)");
        assertThat(why.path("entitlement").path("otherPartitions").toString()).isEqualTo("[\"fast\"]");
    }

    private JsonNode tried(final String what) {
        final ApiClient.Answer answer =
                operators.post(RULES + "/preview", "{" + what + ", \"cluster\": \"" + cluster + "\"}");
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.body().path("jobs");
    }

    private void partitions(final String... names) {
        for (final String name : names) {
            seen(TestData.publish(new PartitionObserved(
                    cluster,
                    PartitionName.of(name),
                    true,
                    name.equals("main"),
                    16,
                    Duration.ofDays(1),
                    PartitionLimits.NONE,
                    Access.EVERYBODY)));
        }
    }

    private String opening(final String partition) {
        return "{\"overflow\": [{\"cluster\": \"" + cluster + "\", \"minPriority\": 9000, \"to\": [\"" + partition
                + "\"]}], \"reason\": \"r\"}";
    }

    private PartitionOverflow overflow(final long at, final String partition) {
        return new PartitionOverflow(cluster, null, at, List.of(PartitionName.of(partition)));
    }

    @Test
    void rules_change_on_the_version_in_force_and_a_second_change_is_refused() {
        final long version = operators.get(RULES).body().path("version").asLong();
        seen(TestData.publish(set(version + 1)));

        final ApiClient.Answer asked = operators.put(RULES, CHANGE, "If-Match", "\"" + (version + 1) + "\"");

        assertThat(asked.status()).as(asked.response().body()).isEqualTo(202);
        final JsonNode before = anna.get(RULES, "Millrace-Offset", asked.header("Millrace-Offset"))
                .body();
        assertThat(before.path("weights").path("age").asInt()).isEqualTo(1000);
        assertThat(before.path("weights").path("size").asInt()).isZero();
        assertThat(before.path("request").path("refused").asBoolean()).isFalse();
        seen(TestData.publish(set(version + 2)));
        final ApiClient.Answer after = anna.get(RULES);
        assertThat(after.body().path("request").path("reason").asText()).isEqualTo("long waits");
        assertThat(after.body().path("request").path("refused").asBoolean()).isTrue();
        assertThat(after.header("ETag")).isEqualTo("\"" + (version + 2) + "\"");
        assertThat(operators
                        .put(RULES, CHANGE, "If-Match", "\"" + (version + 1) + "\"")
                        .status())
                .isEqualTo(412);
        assertThat(operators.put(RULES, CHANGE).status()).isEqualTo(428);
        assertThat(anna.put(RULES, CHANGE, "If-Match", "\"" + (version + 2) + "\"")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void figures_are_checked_and_named() {
        refused("{\"weights\": {\"luck\": 5}, \"reason\": \"r\"}", "'luck' is not a valid term; use one of [age, size");
        refused("{\"weights\": {\"age\": 1000000}, \"reason\": \"r\"}", "must stay below 1000000");
        refused("{\"weights\": {\"age\": null}, \"reason\": \"r\"}", "'age' must have a number");
        refused("{\"halfLife\": \"a week\", \"reason\": \"r\"}", "'a week' is not a valid ISO 8601 duration");
        refused(
                "{\"projectFactorsPercent\": {\"physics\": 101}, \"reason\": \"r\"}",
                "project 'physics' must be between 0 and 100");
        refused(
                "{\"overflow\": [{\"to\": [\"main\"]}], \"reason\": \"r\"}",
                "'overflow.0.minPriority' is missing: give the lowest priority");
        refused(
                "{\"overflow\": [null], \"reason\": \"r\"}",
                "'overflow.0.minPriority' is missing: give the lowest priority");
        refused(
                "{\"overflow\": [{\"minPriority\": 5}], \"reason\": \"r\"}",
                "'overflow.0' is invalid: 'to' must name 1 to 20");
        refused(
                "{\"overflow\": [{\"minPriority\": 5, \"to\": [\"a b\"]}], \"reason\": \"r\"}",
                "'overflow.0.to' 'a b' is not a valid");
        refused(
                "{\"overflow\": [{\"minPriority\": 5, \"to\": [null]}], \"reason\": \"r\"}",
                "'overflow.0.to' '' is not a valid");
        final String version = operators.get(RULES).header("ETag");
        partitions("main");
        assertThat(operators
                        .put(RULES, opening("fats"), "If-Match", version)
                        .body()
                        .path("detail")
                        .asText())
                .isEqualTo("'overflow.0.to' names unknown partition 'fats'; partitions of " + cluster + ": [main]");
        assertThat(operators
                        .put(RULES, "{\"weights\": {\"age\": 5}}", "If-Match", version)
                        .body()
                        .path("detail")
                        .asText())
                .contains("'reason' must have 1 to 1000 characters");
    }

    private void refused(final String body, final String reason) {
        final ApiClient.Answer answer = operators.put(RULES, body, "If-Match", "\"0\"");
        assertThat(answer.status()).as(body).isEqualTo(422);
        assertThat(answer.body().path("detail").asText()).contains(reason);
    }

    private static PriorityRulesSet set(final long version, final PartitionOverflow... overflow) {
        final PriorityRules rules = new PriorityRules(
                Map.of(PriorityTerm.AGE, 1000),
                Duration.ofDays(7),
                Duration.ofDays(7),
                Map.of(),
                Map.of(),
                Map.of(),
                null);
        return new PriorityRulesSet(
                rules.withOverflow(List.of(overflow)),
                UserName.of("olga"),
                "as agreed",
                Instant.parse("2026-03-01T00:00:00Z"),
                version);
    }
}
