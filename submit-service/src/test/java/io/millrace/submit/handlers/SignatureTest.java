package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget.Secret;
import io.millrace.submit.domain.handler.HttpHeaderValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @Test
    void a_signature_equals_that_of_the_standard_webhooks_reference_libraries() {
        final byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

        assertThat(WebhookSecret.of(SECRET).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsec_c2hvcnQ=",
                "whsec_hunter2-is-no-base64-at-all!!!!!!!"
            })
    void an_invalid_secret_is_refused_and_not_printed(final String text) {
        assertThatThrownBy(() -> WebhookSecret.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("openssl rand -base64 32")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("hunter2", "c2hvcnQ", "MfKQ9r8"));
    }

    @Test
    void a_secret_file_that_others_can_read_gives_a_warning(@TempDir final Path folder) throws Exception {
        final Path file = Files.writeString(folder.resolve("secret"), SECRET);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(SecretReader.warning(new Secret.InFile(file)))
                .hasValueSatisfying(warning -> assertThat(warning)
                        .contains(file.toString(), "chmod 600")
                        .doesNotContain(SECRET));

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(SecretReader.warning(new Secret.InFile(file))).isEmpty();
        assertThat(SecretReader.warning(new Secret.InVariable("HOOK"))).isEmpty();
    }

    @Test
    void a_secret_is_not_printed() {
        assertThat(WebhookSecret.of(SECRET)).hasToString("webhook secret");
    }

    @Test
    void the_message_id_depends_on_source_and_id() {
        final String id = event("/millrace/quota-service").id();

        assertThat(event("/millrace/quota-service").id()).isEqualTo(id).matches("msg_[0-9a-f]{32}");
        assertThat(event("/millrace/agent/alpha").id()).isNotEqualTo(id);
    }

    private static HandlerEvent event(final String source) {
        return new HandlerEvent(Map.of("id", "alpha/1@2026-01-01T00:00:00Z/1", "source", source), "{}");
    }

    @Test
    void attributes_in_headers_are_percent_encoded() {
        // The example of section 3.1.3.2 of the binding, and other characters that need encoding.
        assertThat(HttpHeaderValue.encoded("Euro € 😀")).isEqualTo("Euro%20%E2%82%AC%20%F0%9F%98%80");
        assertThat(HttpHeaderValue.encoded("a\r\nb\"c%d")).isEqualTo("a%0D%0Ab%22c%25d");
        assertThat(HttpHeaderValue.encoded("alpha/12@2026-01-01T00:00:00Z")).isEqualTo("alpha/12@2026-01-01T00:00:00Z");
    }
}
