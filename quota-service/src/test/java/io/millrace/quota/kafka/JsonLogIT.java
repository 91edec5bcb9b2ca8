package io.millrace.quota.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.model.protocol.EventType;
import io.millrace.testing.Attack;
import io.millrace.testing.service.ServiceProcess;
import io.millrace.testing.service.TestLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The log of a packaged service, as a program reads it. */
class JsonLogIT {

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @Attack("a text with line feeds, escapes and quotes forges records of a log in JSON")
    @Test
    void each_line_is_one_record_and_a_hostile_text_stays_in_its_message() throws Exception {
        final String forged = "{\"level\":\"ERROR\",\"message\":\"forged\"}";
        final String key = "alpha/job/\n" + forged + "\r\n\u001b[2J\u0000\u202e\"," + forged;
        final String output;
        try (TestLog log = new TestLog();
                ServiceProcess service = ServiceProcess.start("-Dquarkus.log.console.json.enabled=true")) {
            service.awaitReady();
            log.poison(EventType.JOB_OBSERVED, key, JSON.writeValueAsString(Map.of("job", key, "owner", key)));
            log.awaitDead(EventType.JOB_OBSERVED.topic(), key);
            output = service.awaitEndWhenTold();
        }
        assertThat(output.replace("\n", "").chars()).allMatch(character -> character >= ' ' && character < 0x7f);
        final List<String> messages = new ArrayList<>();
        for (final String line : output.split("\n")) {
            messages.add(JSON.readTree(line).path("message").textValue());
        }
        assertThat(messages)
                .doesNotContain((String) null)
                .doesNotContain("forged")
                .anyMatch(message -> message.contains("is set aside") && message.contains("\\u000a" + forged));
    }
}
