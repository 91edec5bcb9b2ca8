package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** S-6: an operator locks a user at once. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class LocksIT {

    private final String user = "u" + UUID.randomUUID().toString().substring(0, 8);
    private final String path = "/api/v1/locks/" + user;
    private final ApiClient theirs = ApiClient.as(user);
    private final ApiClient operators = ApiClient.as(TestSite.OPERATOR);

    @BeforeEach
    void clusters() {
        assertThat(theirs.get("/api/v1/jobs", "Millrace-Offset", TestData.clusters())
                        .status())
                .isEqualTo(200);
    }

    @Test
    @Attack("a locked user goes on with a token and a new submission")
    void a_locked_user_is_refused_everywhere_until_unlocked() {
        final ApiClient.Answer accepted = theirs.post("/api/v1/jobs", TestData.body("before"));
        assertThat(accepted.status()).as(accepted.response().body()).isEqualTo(202);
        final String job = accepted.body().path("id").asText();

        final ApiClient.Answer locked = operators.put(path, "{\"reason\": \"stolen laptop\"}");
        assertThat(locked.status()).as(locked.response().body()).isEqualTo(200);
        assertThat(locked.body().path("jobs").asInt()).as("jobs held").isEqualTo(1);
        assertThat(operators.get("/api/v1/locks").body().path("locks").findValuesAsText("user"))
                .contains(user);

        final ApiClient.Answer refused = theirs.post("/api/v1/jobs", TestData.body("after"));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body().path("detail").asText()).contains("is locked (stolen laptop)");
        assertThat(theirs.get("/api/v1/jobs").status()).isEqualTo(403);
        assertThat(operators.get("/api/v1/jobs/" + job).status()).isEqualTo(200);

        final ApiClient.Answer unlocked = operators.send("DELETE", path + "?reason=new%20laptop", (String) null);
        assertThat(unlocked.status()).as(unlocked.response().body()).isEqualTo(200);
        assertThat(unlocked.body().path("locked").asBoolean()).isFalse();
        assertThat(theirs.get("/api/v1/jobs").status()).isEqualTo(200);
    }

    @Test
    void all_jobs_are_stopped_if_requested() {
        assertThat(theirs.post("/api/v1/jobs", TestData.body("one")).status()).isEqualTo(202);
        assertThat(theirs.post("/api/v1/jobs", TestData.body("two")).status()).isEqualTo(202);
        final JsonNode locked = operators
                .put(path, "{\"reason\": \"mines coins\", \"stopJobs\": true}")
                .body();
        assertThat(locked.path("jobs").asInt()).isEqualTo(2);
        assertThat(operators
                        .put(path, "{\"reason\": \"mines coins\", \"stopJobs\": true}")
                        .body()
                        .path("jobs")
                        .asInt())
                .as("stopped before")
                .isZero();
    }

    @Test
    @Attack("a user locks or unlocks others")
    void only_operators_lock_and_never_themselves() {
        assertThat(theirs.put("/api/v1/locks/victim", "{\"reason\": \"x\"}").status())
                .isEqualTo(403);
        assertThat(theirs.send("DELETE", "/api/v1/locks/victim?reason=x", (String) null)
                        .status())
                .isEqualTo(403);
        assertThat(theirs.get("/api/v1/locks").status()).isEqualTo(403);
        assertThat(operators
                        .put("/api/v1/locks/" + TestSite.OPERATOR, "{\"reason\": \"x\"}")
                        .status())
                .isEqualTo(409);
        assertThat(operators.put(path, "{}").status()).isEqualTo(422);
        assertThat(operators.send("DELETE", path + "?reason=x", (String) null).status())
                .isEqualTo(404);
    }
}
