package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Usage records of a period. The site is in Berlin, one hour ahead of UTC in winter. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class UsageIT {

    private static final Instant BEFORE_MIDNIGHT_AT_THE_SITE = Instant.parse("2026-02-28T22:59:59.5Z");
    private static final Instant AFTER_MIDNIGHT_AT_THE_SITE = Instant.parse("2026-02-28T23:00:00Z");
    private static final Instant LAST_OF_MARCH = Instant.parse("2026-03-31T21:59:59Z");
    private static final String MARCH = "from=2026-03-01&to=2026-03-31";

    /** Each test has a separate user, project and cluster, because all tests share one log. */
    private final String user = "u" + UUID.randomUUID().toString().substring(0, 8);

    private final ClusterId cluster =
            ClusterId.of("c" + UUID.randomUUID().toString().substring(0, 8));
    private final ApiClient mine = ApiClient.as(user);
    private String written = "";

    @Inject
    DataSource database;

    @BeforeEach
    void four_runs() {
        ended(1, user, null, BEFORE_MIDNIGHT_AT_THE_SITE);
        ended(2, user, "physics", AFTER_MIDNIGHT_AT_THE_SITE);
        ended(3, user, "physics", AFTER_MIDNIGHT_AT_THE_SITE);
        ended(4, user, null, LAST_OF_MARCH);
        ended(5, "other", "physics", LAST_OF_MARCH);
    }

    private void ended(final int number, final String owner, final String project, final Instant at) {
        written = TestData.publish(
                TestData.ended(TestData.key(cluster, number), owner, project, at, new RunOutcome.Exited(number % 2))
                        .withUsage(number == 1 ? new ResourceUsage(Duration.ofSeconds(1200), 512L << 20, null) : null));
    }

    private ApiClient.Answer ask(final ApiClient door, final String query) {
        return door.get("/api/v1/usage" + query, "Millrace-Offset", written);
    }

    private static List<String> jobs(final JsonNode page) {
        final List<String> jobs = new ArrayList<>();
        page.path("runs").forEach(run -> jobs.add(run.path("job").asText().replaceAll(".*/|@.*", "")));
        return jobs;
    }

    @Test
    void a_period_of_days_is_the_sites_own_and_one_of_instants_exact() {
        assertThat(jobs(ask(mine, "?" + MARCH).body())).containsExactly("2", "3", "4");
        assertThat(jobs(ask(mine, "?from=2026-02-28&to=2026-02-28").body())).containsExactly("1");
        assertThat(jobs(ask(mine, "?from=2026-02-28T22:59:59.5Z&to=2026-03-01T00:00:00%2B01:00")
                        .body()))
                .containsExactly("1");
        assertThat(jobs(ask(mine, "?" + MARCH + "&project=physics").body())).containsExactly("2", "3");
        assertThat(ask(mine, "?" + MARCH + "&cluster=elsewhere")
                        .body()
                        .path("detail")
                        .asText())
                .contains("'cluster' names unknown cluster 'elsewhere'");
    }

    @Test
    void pages_follow_each_other_without_gap_also_amid_runs_that_ended_together() {
        final List<String> all = new ArrayList<>();
        String after = "";
        do {
            final JsonNode page = ask(mine, "?" + MARCH + "&limit=1" + after).body();
            all.addAll(jobs(page));
            after = page.has("next") ? "&after=" + page.path("next").asText() : "";
        } while (!after.isEmpty());
        assertThat(all).containsExactly("2", "3", "4");
    }

    @Test
    void a_record_says_what_ran_how_long_and_how_it_ended() {
        final JsonNode run =
                ask(mine, "?from=2026-02-28&to=2026-02-28").body().path("runs").get(0);
        assertThat(run.path("user").asText()).isEqualTo(user);
        assertThat(run.path("cluster").asText()).isEqualTo(cluster.value());
        assertThat(run.path("coreSeconds").asLong()).isEqualTo(2400);
        assertThat(run.path("outcome").asText()).isEqualTo("exited");
        assertThat(run.path("exitCodeOrSignal").asInt()).isEqualTo(1);
        assertThat(run.has("project")).isFalse();
        assertThat(run.path("used").toString()).isEqualTo("{\"cpuSeconds\":1200,\"peakMemoryBytes\":536870912}");
        assertThat(ask(mine, "?" + MARCH).body().path("runs").get(0).has("used"))
                .as("not measured")
                .isFalse();
    }

    @Test
    void records_are_their_owners_and_the_operators() {
        assertThat(ask(ApiClient.as("mallory"), "?" + MARCH + "&user=" + user).status())
                .isEqualTo(403);
        for (final String route : List.of("", "/csv", "/swf")) {
            assertThat(ask(ApiClient.as("mallory"), route + "?" + MARCH + "&cluster=" + cluster)
                            .response()
                            .body())
                    .doesNotContain("physics");
            assertThat(ask(ApiClient.as("mallory"), route + "?" + MARCH + "&user=" + user)
                            .status())
                    .isEqualTo(403);
        }
        final ApiClient operator = ApiClient.as(TestSite.OPERATOR);
        assertThat(jobs(ask(operator, "?" + MARCH + "&cluster=" + cluster).body()))
                .containsExactlyInAnyOrder("2", "3", "4", "5");
        assertThat(jobs(ask(operator, "?" + MARCH + "&user=" + user).body())).containsExactly("2", "3", "4");
    }

    @Test
    void csv_and_swf_have_the_documented_form() {
        final ApiClient.Answer csv = ask(mine, "/csv?" + MARCH);
        assertThat(csv.header("Content-Type")).startsWith("text/csv");
        assertThat(csv.response().body())
                .startsWith("cluster,localJobId,submittedAt,run,")
                .endsWith("sacct,,,\r\n")
                .contains("\r\n" + cluster + ",2,", "\"a \"\"b\"\", c\"," + user + ",physics,main,4,1,2048,0,3600,");
        assertThat(csv.response().body().lines()).hasSize(4);

        assertThat(ask(mine, "/swf?" + MARCH).response().body()).isEqualTo("""
            ; Version: 2.2
            ; Computer: Millrace
            ; UnixStartTime: 0
            ; TimeZoneString: Europe/Berlin
            ; Note: one line per run, ordered by end time; a requeued job has several lines (status 2, then 3 or 4)
            ; Note: group is the project, partition is the cluster, queue is a partition of a cluster
            ; User: 1 %1$s
            ; Group: 1 physics
            ; Queue: 1 %2$s/main
            ; Partition: 1 %2$s
            1 1772366402 0 600 4 -1 -1 4 3600 524288 1 1 1 -1 1 1 -1 -1
            2 1772366403 0 600 4 -1 -1 4 3600 524288 0 1 1 -1 1 1 -1 -1
            3 1772366404 2627395 600 4 -1 -1 4 3600 524288 1 1 -1 -1 1 1 -1 -1
            """.formatted(user, cluster));
    }

    @Test
    void an_export_that_breaks_off_cannot_be_taken_for_a_whole_one() throws SQLException {
        ask(mine, "?" + MARCH);
        final String last = " where job_key like '" + cluster + "/4@%'";
        try (Connection connection = database.getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute("update run_end set body = '{\"owner\": \"" + user + "\"}'" + last);
            assertThatThrownBy(() -> ask(mine, "/csv?" + MARCH)).hasMessageContaining("/usage/csv");
            sql.execute("delete from run_end" + last); // other tests share the database
        }
    }

    @Test
    void an_invalid_period_or_page_is_refused() {
        for (final String wrong : List.of("from=march", "to=2026-13-01", "from=2026-03-01T00:00", "after=1")) {
            final ApiClient.Answer answer = mine.get("/api/v1/usage?" + wrong);
            assertThat(answer.status()).as(wrong).isEqualTo(422);
        }
        assertThat(mine.get("/api/v1/usage?from=2026-03-02&to=2026-03-01")
                        .response()
                        .body())
                .contains("must be later than 'from'");
        assertThat(mine.get("/api/v1/usage/csv?from=1.3.2026").response().body())
                .contains("is not a valid time; use a day (2026-11-21) or a time with zone");
    }
}
