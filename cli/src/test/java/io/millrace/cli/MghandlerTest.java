package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.api.Json;
import io.millrace.cli.text.Terminal;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MghandlerTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void each_handler_is_one_line_with_the_reason_of_its_failure() throws Exception {
        final var handlers = Json.read("""
                [{"name":"accounting","target":"https://a.example/h","state":"failing","since":"2026-03-01T11:55:00Z",
                  "reason":"the receiver answered 503","delivered":12,"failedAttempts":3,"deadLettered":0,"lag":7},
                 {"name":"chat","target":"/usr/local/bin/tell","state":"delivering",
                  "delivered":40,"failedAttempts":0,"deadLettered":0,"lag":0}]""");

        assertThat(Mghandler.lines(handlers, Terminal.of(Map.of()), NOON))
                .satisfiesExactly(
                        head -> assertThat(head).startsWith("HANDLER").contains("REASON"),
                        failing -> assertThat(failing)
                                .matches(
                                        "accounting +failing +5m00s +12 +3 +0 +7 +https://a.example/h +the receiver answered 503"),
                        good -> assertThat(good.strip()).matches("chat +delivering +40 +0 +0 +0 +/usr/local/bin/tell"));
    }

    @Test
    void without_handlers_the_message_says_where_to_define_them() throws Exception {
        assertThat(Mghandler.lines(Json.read("[]"), Terminal.of(Map.of()), NOON))
                .containsExactly("no handlers; define them in the file that millrace.submit.handlers-file names");
    }
}
