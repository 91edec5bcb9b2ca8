package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(Site.class)
class StatementsIT {

    private final String user = "s" + UUID.randomUUID().toString().substring(0, 8);
    private final Door mine = Door.as(user);
    private final int job = UUID.randomUUID().hashCode() & 0xffffff;

    private String twoRunsOneOfThemTwice() {
        Scene.say(Scene.booked(Scene.key(Scene.ALPHA, job), 1, user));
        Scene.say(Scene.booked(Scene.key(Scene.ALPHA, job), 2, user));
        return Scene.say(Scene.booked(Scene.key(Scene.ALPHA, job), 1, user));
    }

    @Test
    void a_statement_sums_what_runs_cost_within_a_week_a_month_or_a_year() {
        final String written = twoRunsOneOfThemTwice();
        for (final String period : new String[] {"2026-W09", "2026-03", "2026"}) {
            final JsonNode statement = mine.get("/api/v1/statements/" + period, "Millrace-Offset", written)
                    .body();
            assertThat(statement.path("cost").path("core_s").asLong()).isEqualTo(5400);
            assertThat(statement.path("sums")).hasSize(1);
            final JsonNode sum = statement.path("sums").get(0);
            assertThat(sum.path("project").asText()).isEqualTo("physics");
            assertThat(sum.path("runs").asLong()).isEqualTo(2);
            assertThat(sum.path("refunded").path("core_s").asLong()).isEqualTo(1800);
        }
        assertThat(mine.get("/api/v1/statements/2026-04").body().path("sums")).isEmpty();
        assertThat(mine.get("/api/v1/statements/2026-03?project=chemistry")
                        .body()
                        .path("sums"))
                .isEmpty();
    }

    @Test
    void a_statement_is_its_owners_and_the_operators() {
        final String written = twoRunsOneOfThemTwice();
        final String theirs = "/api/v1/statements/2026-03?user=" + user;
        assertThat(Door.as("mallory").get(theirs, "Millrace-Offset", written).status())
                .isEqualTo(403);
        assertThat(Door.as("mallory")
                        .get("/api/v1/statements/2026-03")
                        .response()
                        .body())
                .doesNotContain(user);
        assertThat(Door.as("mallory")
                        .get("/api/v1/statements/2026-03/postings?user=" + user)
                        .status())
                .isEqualTo(403);
        assertThat(Door.as(Site.OPERATOR)
                        .get(theirs, "Millrace-Offset", written)
                        .body()
                        .path("sums"))
                .hasSize(1);
    }

    @Test
    void the_postings_come_as_csv_page_by_page() {
        final String written = twoRunsOneOfThemTwice();
        final String csv = mine.get("/api/v1/statements/2026-03/postings", "Millrace-Offset", written)
                .response()
                .body();
        assertThat(csv.lines()).hasSize(5);
        assertThat(csv)
                .startsWith("booked,job,run,user,project,kind,debit,credit,core_s,gpu_s,rate_permille\r\n")
                .contains(
                        ",physics,REFUND,loss/alpha,use/" + user + "/physics,900,0,1000\r\n",
                        ",physics,CHARGE,use/" + user + "/physics,cluster/alpha,3600,0,1000\r\n");
        assertThat(mine.get("/api/v1/statements/2026-03/postings?skip=3&limit=2")
                        .response()
                        .body()
                        .lines())
                .hasSize(2);
    }

    @Test
    void what_is_no_period_is_told_so() {
        for (final String wrong : new String[] {"2026-13", "2026-W54", "march", "2026-3"}) {
            final Door.Answer answer = mine.get("/api/v1/statements/" + wrong);
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.response().body()).contains("is no period: write a week (2026-W47)");
        }
    }
}
