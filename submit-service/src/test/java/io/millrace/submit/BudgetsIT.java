package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobState;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetPeriod;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Charges;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Budgets and limits of processor time by REST; quota-service is played by what it would write to the log. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class BudgetsIT {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final String CHANGE = """
        {"reason": "grant", "limitCoreHours": 12.5,
         "budgets": [{"period": "month", "coreHours": 100, "exhausted": "hold", "carryOver": 10}]}\
        """;

    private final String user = "b" + UUID.randomUUID().toString().substring(0, 8);
    private final String path = "/api/v1/budgets/" + user;
    private ApiClient mine;
    private ApiClient operators;

    @BeforeEach
    void clusters() {
        mine = ApiClient.as(user);
        operators = ApiClient.as(TestSite.OPERATOR);
        seen(TestData.clusters());
    }

    private void seen(final String position) {
        assertThat(mine.get("/api/v1/budgets", "Millrace-Offset", position).status())
                .isEqualTo(200);
    }

    private static BudgetGrant monthly(final int hours) {
        return new BudgetGrant(
                PeriodKind.MONTH,
                hours * 3600L,
                null,
                BudgetGrant.Refill.AT_START,
                0,
                BudgetGrant.Exhausted.HOLD,
                false);
    }

    private void set(
            final String holder, final List<BudgetGrant> grants, final @Nullable Long limit_s, final long version) {
        seen(TestData.publish(new BudgetSet(
                QuotaHolder.of(holder),
                grants,
                limit_s,
                BERLIN.getId(),
                UserName.of("olga"),
                "as agreed",
                Instant.parse("2026-03-01T00:00:00Z"),
                version)));
    }

    private void charged(final long spent_h, final long reserved_h, final @Nullable String project) {
        final String month =
                BudgetPeriod.of(PeriodKind.MONTH, Instant.now(), BERLIN).label();
        seen(TestData.publish(new Charges(
                TestData.ALPHA,
                UserName.of(user),
                project == null ? null : ProjectName.of(project),
                new ProcessorTime(reserved_h * 3600, 0),
                List.of(new Charges.Spent(month, new ProcessorTime(spent_h * 3600, 0))))));
    }

    @Test
    void what_is_left_is_what_neither_ended_runs_spent_nor_running_jobs_reserve() {
        set(user, List.of(monthly(100)), 36_000L, 3);
        charged(60, 15, null);

        final ApiClient.Answer shown = mine.get(path);

        assertThat(shown.header("ETag")).isEqualTo("\"3\"");
        final JsonNode month = shown.body().path("budgets").path(0);
        assertThat(month.path("period").asText()).isEqualTo("month");
        assertThat(month.path("available").path("coreHours").asDouble()).isEqualTo(100);
        assertThat(month.path("spent").path("coreHours").asDouble()).isEqualTo(60);
        assertThat(month.path("reserved").path("coreHours").asDouble()).isEqualTo(15);
        assertThat(month.path("left").path("coreHours").asDouble()).isEqualTo(25);
        assertThat(month.has("gpuHours")).isFalse();
        assertThat(shown.body().path("limitCoreHours").asDouble()).isEqualTo(10);
        assertThat(shown.body().path("appliedLimitCoreHours").asDouble()).isEqualTo(10);
    }

    @Test
    void an_operator_changes_a_budget_on_the_version_that_is_in_force() {
        final ApiClient.Answer asked = operators.put(path, CHANGE, "If-Match", "\"0\"");
        assertThat(asked.status()).as(asked.response().body()).isEqualTo(202);
        assertThat(asked.body().path("holder").asText()).isEqualTo(user);
        assertThat(asked.body().path("reason").asText()).isEqualTo("grant");

        set(user, List.of(monthly(100)), null, 1);
        assertThat(operators.put(path, CHANGE, "If-Match", "\"0\"").status()).isEqualTo(412);
        assertThat(operators.put(path, CHANGE).status()).isEqualTo(428);
        assertThat(delete(path + "?reason=over", "If-Match", "\"1\"").status()).isEqualTo(202);
        assertThat(delete(path, "If-Match", "\"1\"").status()).isEqualTo(422);
        assertThat(delete("/api/v1/budgets/nobody" + user + "?reason=x", "If-Match", "\"0\"")
                        .status())
                .isEqualTo(404);
    }

    private ApiClient.Answer delete(final String what, final String... headers) {
        return operators.send("DELETE", what, (String) null, headers);
    }

    @Test
    void a_job_beyond_its_budget_or_limit_is_accepted_with_a_note() throws InterruptedException {
        assertThat(notes()).isEqualTo("[]");
        set(user, List.of(monthly(100)), 3 * 3600L, 1);
        charged(90, 9, null);
        final String month =
                BudgetPeriod.of(PeriodKind.MONTH, Instant.now(), BERLIN).label();
        final long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        String notes = notes();
        while (notes.equals("[]") && System.nanoTime() < deadline) {
            Thread.sleep(500); // budgets are read again after five seconds
            notes = notes();
        }
        assertThat(notes)
                .contains("the budget of user '" + user + "' for " + month
                        + " has 1.0 of 100.0 core-hours left, and the job requests 4.0: it waits until the budget"
                        + " covers it")
                .contains("it requests 4.0 core-hours, and the limit of processor time of user '" + user
                        + "' is 3.0: it cannot start; request fewer cores or a shorter walltime");
    }

    private String notes() {
        final ApiClient.Answer answer = mine.post("/api/v1/jobs", TestData.body("big"));
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(202);
        return answer.body().path("notes").toString();
    }

    @Test
    void values_that_make_no_sense_are_refused_by_name() {
        refused("{\"reason\": \"r\", \"budgets\": [{\"period\": \"day\", \"coreHours\": 1}]}", "'budgets.0.period'");
        refused("{\"reason\": \"r\", \"budgets\": [{\"period\": \"month\"}]}", "'budgets.0'");
        refused(
                "{\"reason\": \"r\", \"budgets\": [{\"period\": \"month\", \"coreHours\": -1}]}",
                "'budgets.0.coreHours' must be between 0");
        refused(
                "{\"reason\": \"r\", \"budgets\": [{\"period\": \"month\", \"coreHours\": 1},"
                        + " {\"period\": \"month\", \"coreHours\": 2}]}",
                "one amount per kind of period");
        refused("{\"budgets\": []}", "reason");
    }

    private void refused(final String body, final String why) {
        final ApiClient.Answer answer = operators.put(path, body, "If-Match", "\"0\"");
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(422);
        assertThat(answer.response().body()).contains(why);
    }

    @Test
    @Attack("a user reads, previews or changes the budget of others")
    void users_see_their_own_budgets_and_change_none() {
        set("project:secretproj", List.of(monthly(5)), null, 1);
        assertThat(mine.put(path, CHANGE, "If-Match", "\"0\"").status()).isEqualTo(403);
        assertThat(mine.post(path + "/preview", CHANGE).status()).isEqualTo(403);
        assertThat(mine.send("DELETE", path + "?reason=x", (String) null, "If-Match", "\"0\"")
                        .status())
                .isEqualTo(403);
        for (final String holder : List.of("victim", "project:secretproj", "group:unknown", "*")) {
            assertThat(mine.get("/api/v1/budgets/" + holder).status())
                    .as(holder)
                    .isEqualTo(404);
            assertThat(operators.get("/api/v1/budgets/" + holder).status()).isEqualTo(200);
        }
        assertThat(mine.get("/api/v1/budgets?user=victim").status()).isEqualTo(403);
        assertThat(mine.get("/api/v1/budgets").response().body()).doesNotContain("secretproj");
        assertThat(ApiClient.as("boss-of-secretproj")
                        .get("/api/v1/budgets")
                        .response()
                        .body())
                .contains("project:secretproj");
        assertThat(operators.get("/api/v1/budgets").response().body()).contains("project:secretproj");
    }

    @Test
    void a_preview_lists_the_waiting_jobs_that_a_smaller_budget_would_hold() {
        set(user, List.of(monthly(100)), null, 1);
        seen(TestData.publish(TestData.local(
                TestData.key(TestData.ALPHA, user.hashCode() & 0xffffff), user, new JobState.Queued(), null)));

        final String smaller = "{\"budgets\": [{\"period\": \"month\", \"coreHours\": %d}]}";
        final JsonNode held =
                operators.post(path + "/preview", smaller.formatted(3)).body().path("held");
        assertThat(held).hasSize(1);
        assertThat(held.path(0).path("user").asText()).isEqualTo(user);
        assertThat(held.path(0).path("coreHours").asDouble()).isEqualTo(4);
        assertThat(operators
                        .post(path + "/preview", smaller.formatted(4))
                        .body()
                        .path("held"))
                .isEmpty();
        assertThat(operators
                        .post(path + "/preview", "{\"limitCoreHours\": 3.9}")
                        .body()
                        .path("held"))
                .hasSize(1);
    }
}
