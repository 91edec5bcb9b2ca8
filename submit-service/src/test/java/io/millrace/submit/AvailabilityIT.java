package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.UserName;
import io.millrace.model.policy.ClusterAvailability;
import io.millrace.model.policy.ClusterAvailability.Status;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class AvailabilityIT {

    private static final String PATH = "/api/v1/clusters/alpha/availability";
    private static final String DRAIN = "{\"status\": \"drained\", \"reason\": \"new cooling\"}";
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final ApiClient operators = ApiClient.as(TestSite.OPERATOR);

    @BeforeEach
    void clusters() {
        seen(TestData.clusters());
    }

    private void seen(final String position) {
        assertThat(operators.get("/api/v1/quotas", "Millrace-Offset", position).status())
                .isEqualTo(200);
    }

    @Test
    void only_operators_drain_a_cluster_and_only_a_known_one_with_a_reason() {
        assertThat(ApiClient.as("anna").put(PATH, DRAIN).status()).isEqualTo(403);
        assertThat(operators.put("/api/v1/clusters/nowhere/availability", DRAIN).status())
                .isEqualTo(404);
        assertThat(operators.put(PATH, "{\"status\": \"drained\"}").status()).isEqualTo(422);
        assertThat(operators
                        .put(PATH, "{\"status\": \"returning\", \"reason\": \"x\"}")
                        .status())
                .isEqualTo(422);
        assertThat(operators.put(PATH, DRAIN).status()).isEqualTo(202);
    }

    @Test
    void everybody_sees_which_clusters_are_out_of_service_and_why() {
        seen(TestData.publish(
                new ClusterAvailability(TestData.ALPHA, Status.FENCED, UserName.of("olga"), "power lost", NOON, 1)));
        final ApiClient anna = ApiClient.as("anna");
        final JsonNode shown = anna.get(PATH).body();
        assertThat(shown.path("status").asText()).isEqualTo("fenced");
        assertThat(shown.path("reason").asText()).isEqualTo("power lost");
        assertThat(anna.get("/api/v1/clusters").body().path("clusters"))
                .anySatisfy(cluster -> assertThat(
                                cluster.path("availability").path("status").asText())
                        .isEqualTo("fenced"));

        final ApiClient.Answer refused = operators.put(PATH, DRAIN);
        assertThat(refused.status()).as("a fenced cluster returns first").isEqualTo(409);
        seen(TestData.publish(
                new ClusterAvailability(TestData.ALPHA, Status.OPEN, UserName.of("olga"), "repaired", NOON, 2)));
        assertThat(operators.put(PATH, DRAIN).status()).isEqualTo(202);
    }
}
