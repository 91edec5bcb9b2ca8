package io.millrace.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.cli.FakeApi;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class ApiClientTest {

    @TempDir
    Path home;

    @Test
    void a_read_is_repeated_while_the_service_is_busy() throws Exception {
        try (FakeApi api = new FakeApi(home)
                .refuse("/jobs", 503, "not yet")
                .afterwardsRefuse("/jobs", 503, "not yet")
                .afterwards("/jobs", "{\"jobs\":[]}")) {
            assertThat(api.client().get("/jobs").path("jobs")).isEmpty();
            assertThat(api.requests()).hasSize(3);
        }
    }

    /** It was not processed, unlike one that the service could not answer. */
    @Test
    void a_request_beyond_a_limit_of_the_service_is_repeated() throws Exception {
        try (FakeApi api =
                new FakeApi(home).refuse("/jobs", 429, "too many requests").afterwards("/jobs", "{\"id\":\"4711\"}")) {
            assertThat(api.client()
                            .post("/jobs", Json.object(), Map.of())
                            .path("id")
                            .asText())
                    .isEqualTo("4711");
            assertThat(api.requests()).hasSize(2);
        }
    }

    @Test
    void a_submission_with_a_key_is_repeated_while_the_service_does_not_know_whether_it_was_the_first()
            throws Exception {
        try (FakeApi api = new FakeApi(home)
                .refuse("/jobs", 503, "unknown whether it was the first")
                .afterwards("/jobs", "{\"id\": \"4711\"}")) {
            assertThat(api.client()
                            .post("/jobs", Json.object(), Map.of(ApiClient.IDEMPOTENCY_KEY, "k"))
                            .path("id")
                            .asText())
                    .isEqualTo("4711");
            assertThat(api.requests()).hasSize(2);
        }
    }

    @Test
    void an_invalid_field_is_named_by_the_option_that_sets_it() throws Exception {
        try (FakeApi api = new FakeApi(home).refuseFields("/jobs", """
            {"field":"targetRule","reason":"must be earliest-end"},
            {"field":"cores","reason":"must be between 1 and 10000000, got 0"},
            {"field":"environment.A-B","reason":"must have a valid variable name"},
            {"field":"options","reason":"option --mem=x: not a size"},
            {"field":"rules","reason":"is missing"}\
            """)) {
            assertThatThrownBy(() -> api.client().post("/jobs", Json.object(), Map.of()))
                    .hasMessage("""
                        --target-rule must be earliest-end
                          --cores must be between 1 and 10000000, got 0
                          variable A-B must have a valid variable name
                          option --mem=x: not a size
                          'rules' is missing\
                        """);
        }
    }

    @Test
    void a_write_is_not_repeated() throws Exception {
        try (FakeApi api = new FakeApi(home).refuse("/jobs", 503, "the broker does not answer")) {
            assertThatThrownBy(() -> api.client().post("/jobs", Json.object(), Map.of()))
                    .hasMessage("the broker does not answer");
            assertThat(api.requests()).hasSize(1);
        }
    }
}
