package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.UserName;
import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelChecked.OtherClasses;
import io.millrace.model.policy.ClassModelChecked.StageWork;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Here the test is classifier-service. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class ClassModelIT {

    private static final String MODEL = "/api/v1/class-model";
    private static final String CHANGE = "{\"model\": \"characteristics: {}\", \"reason\": \"because\"}";
    private static final UserName OTTO = UserName.of(TestSite.OPERATOR);

    private final ApiClient anna = ApiClient.as("anna");
    private final ApiClient operators = ApiClient.as(TestSite.OPERATOR);

    private JsonNode after(final io.millrace.model.Event event) {
        final ApiClient.Answer answer = operators.get(MODEL, "Millrace-Offset", TestData.publish(event));
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    private static ClassModelChecked answer(final Instant requestedAt, final boolean preview, final String error) {
        return new ClassModelChecked(
                OTTO,
                requestedAt,
                preview,
                error,
                List.of("class 'a' overlaps with 'b': a job can fit both"),
                10,
                1,
                List.of(new OtherClasses("alpha/1@2026-03-01T12:00:01Z", List.of("a"), List.of("b", "a"))),
                List.of(new StageWork("rho", 4, 3, 5)));
    }

    @Test
    void a_model_is_changed_on_the_version_in_force_and_a_refusal_is_shown_with_its_reason() {
        final long version = operators.get(MODEL).body().path("version").asLong() + 1;
        final JsonNode shown = after(new ClassModelSet(
                "classes: {}", List.of(), UserName.of("ute"), "first", Instant.parse("2026-03-01T12:00:00Z"), version));
        assertThat(shown.path("model").asText()).isEqualTo("classes: {}");
        assertThat(anna.get(MODEL).status()).as("every user may read it").isEqualTo(200);
        assertThat(anna.put(MODEL, CHANGE, "If-Match", "\"" + version + "\"").status())
                .isEqualTo(403);
        assertThat(operators
                        .put(MODEL, CHANGE, "If-Match", "\"" + (version - 1) + "\"")
                        .status())
                .isEqualTo(412);
        assertThat(operators
                        .put(MODEL, "{\"reason\": \"r\"}", "If-Match", "\"" + version + "\"")
                        .status())
                .isEqualTo(422);

        final ApiClient.Answer asked = operators.put(MODEL, CHANGE, "If-Match", "\"" + version + "\"");
        assertThat(asked.status()).as(asked.response().body()).isEqualTo(202);
        assertThat(operators.get(MODEL).body().path("request").path("refused").asBoolean())
                .isFalse();
        final Instant at = Instant.parse(asked.body().path("requestedAt").asText());
        final JsonNode refused = after(answer(at, false, "class model, line 1, column 1: 'classes' is missing"));
        assertThat(refused.path("request").path("refused").asBoolean()).isTrue();
        assertThat(refused.path("request").path("error").asText()).contains("line 1, column 1");
        assertThat(after(new ClassModelSet("characteristics: {}", List.of(), OTTO, "because", at, version + 1))
                        .has("request"))
                .as("in force")
                .isFalse();
    }

    @Test
    void an_operator_sees_the_result_of_a_preview() {
        after(new ClassModelSet("classes: {}", List.of(), UserName.of("ute"), "first", Instant.EPOCH, 1_000));
        assertThat(anna.post(MODEL + "/preview", "{}").status()).isEqualTo(403);
        assertThat(anna.get(MODEL + "/preview").status()).isEqualTo(403);
        final ApiClient.Answer asked = operators.post(MODEL + "/preview", "{}");
        assertThat(asked.status()).as(asked.response().body()).isEqualTo(202);
        after(answer(Instant.parse(asked.body().path("requestedAt").asText()), true, null));
        final JsonNode preview = operators.get(MODEL + "/preview").body();
        assertThat(preview.path("requestedAt").asText())
                .isEqualTo(asked.body().path("requestedAt").asText());
        assertThat(preview.path("examples").path(0).path("after").toString()).isEqualTo("[\"b\",\"a\"]");
        assertThat(preview.path("stages").path(0).path("removed").asInt()).isEqualTo(5);
    }
}
