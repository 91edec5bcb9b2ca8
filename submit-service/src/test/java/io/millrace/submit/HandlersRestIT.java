package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class HandlersRestIT {

    private static JsonNode shown(final String name) {
        for (final JsonNode handler :
                ApiClient.as(TestSite.OPERATOR).get("/api/v1/handlers").body().path("handlers")) {
            if (handler.path("name").asText().equals(name)) {
                return handler;
            }
        }
        throw new AssertionError(name + " is not shown");
    }

    private static int order(final String path) {
        return ApiClient.as(TestSite.OPERATOR)
                .post("/api/v1/handlers/" + path, null)
                .status();
    }

    @Test
    void an_operator_sees_and_steers_what_the_site_attached() {
        assertThat(shown("pager").path("target").asText()).isEqualTo("https://127.0.0.1:1/in");

        assertThat(order("pager/pause")).isEqualTo(204);
        assertThat(shown("pager").path("state").asText()).isEqualTo("paused");
        assertThat(shown("pager").path("reason").asText()).isEqualTo("paused by " + TestSite.OPERATOR);

        assertThat(order("pager/resume")).isEqualTo(204);
        assertThat(shown("pager").path("state").asText()).isEqualTo("delivering");
        assertThat(order("pager/redeliver")).isEqualTo(202);
        assertThat(ApiClient.management("/q/metrics").response().body())
                .contains("millrace_handler_lag{handler=\"pager\"");
    }

    @Test
    void who_is_no_operator_neither_sees_nor_steers_them() {
        assertThat(ApiClient.as("mallory").get("/api/v1/handlers").status()).isEqualTo(403);
        assertThat(ApiClient.as("mallory")
                        .post("/api/v1/handlers/pager/pause", null)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_handler_that_is_not_there_is_not_found() {
        assertThat(order("nobody/resume")).isEqualTo(404);
    }
}
