package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class ScheduleIT {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobState AT_THE_GATE = new JobState.Held(HoldKind.ENTRY);

    private final ClusterId gantt =
            ClusterId.of("gantt-" + UUID.randomUUID().toString().substring(0, 8));

    /** Other tests expect two clusters. */
    @AfterEach
    void forget_the_cluster() {
        seen(TestData.gone(new OutgoingEvent.Remove(Topic.CLUSTER_STATE, RevisionClosed.keyOf(gantt), gantt)));
    }

    private JobKey job(final int number, final String user, final JobState state) {
        final JobKey key = TestData.key(gantt, number);
        seen(TestData.publish(TestData.local(key, user, state, null)));
        return key;
    }

    private static void plan(final JobKey job, final Instant start, final int place, final Instant shrunkEnd) {
        seen(TestData.publish(new Plan(
                job, Issuer.BACKFILL, start, place, "for the test", List.of(), shrunkEnd, false, place == 1, null)));
    }

    private static void seen(final String position) {
        assertThat(ApiClient.as("anna")
                        .get("/api/v1/quotas", "Millrace-Offset", position)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void bars_tell_what_runs_is_reserved_and_is_foreseen_and_whose_only_to_whom_it_concerns() {
        job(1, "anna", new JobState.Running(NOON, List.of(NodeName.of("n1"))));
        plan(job(2, "bob", new JobState.Running(NOON.plusSeconds(60), List.of())), null, 0, NOON.plusSeconds(600));
        plan(job(3, "bob", AT_THE_GATE), NOON.plusSeconds(3600), 1, null);
        plan(job(4, "anna", AT_THE_GATE), NOON.plusSeconds(7200), 2, null);
        job(5, "anna", AT_THE_GATE);
        seen(TestData.publish(TestData.marker(gantt, 1, 8)));
        final String path = "/api/v1/clusters/" + gantt + "/schedule";

        final JsonNode shown = ApiClient.as("anna").get(path).body();

        assertThat(shown.path("cores").asInt()).as("%s", shown).isEqualTo(16);
        final JsonNode bars = shown.path("jobs");
        assertThat(bars).hasSize(4);
        assertThat(bars.findValuesAsText("kind")).containsExactly("running", "shortened", "reserved", "predicted");
        assertThat(bars.get(0).path("until").asText()).isEqualTo("2026-03-01T13:00:00.000Z");
        assertThat(bars.get(0).path("nodes").get(0).asText()).isEqualTo("n1");
        assertThat(bars.get(0).path("user").asText()).isEqualTo("anna");
        assertThat(bars.get(2).has("user")
                        || bars.get(2).has("job")
                        || bars.get(2).has("name"))
                .as("another user's")
                .isFalse();
        assertThat(bars.get(3).path("from").asText()).isEqualTo("2026-03-01T14:00:00.000Z");
        assertThat(ApiClient.as(TestSite.OPERATOR)
                        .get(path)
                        .body()
                        .path("jobs")
                        .get(2)
                        .path("user")
                        .asText())
                .isEqualTo("bob");
        assertThat(ApiClient.as("anna").get("/api/v1/clusters/nowhere/schedule").status())
                .isEqualTo(404);
    }
}
