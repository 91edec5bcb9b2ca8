package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks at real servers behind TLS. */
class WebhookTlsTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @TempDir
    static Path folder;

    private static Path secret;
    private static TlsReceiver site;
    private static TlsReceiver elsewhere;

    @BeforeAll
    static void open() throws IOException, GeneralSecurityException {
        secret = Files.writeString(folder.resolve("secret"), SECRET);
        site = new TlsReceiver(Files.createDirectory(folder.resolve("site")), "ip:127.0.0.1");
        elsewhere = new TlsReceiver(Files.createDirectory(folder.resolve("elsewhere")), "dns:elsewhere.example");
    }

    @AfterAll
    static void close() {
        site.close();
        elsewhere.close();
    }

    private static DeliveryResult post(final TlsReceiver receiver, final @Nullable Path authorities) throws Exception {
        final HandlerTarget.Webhook webhook = new HandlerTarget.Webhook(
                URI.create("https://127.0.0.1:" + receiver.port() + "/in"),
                new HandlerTarget.Secret.InFile(secret),
                HandlerTarget.Mode.BINARY,
                Duration.ofMinutes(2),
                authorities);
        return new WebhookDelivery(webhook, WebhookDelivery.client(authorities), Clock.systemUTC())
                .deliver(new HandlerEvent(Map.of("id", "1", "source", "/test"), "{}"));
    }

    @Test
    void a_certificate_of_a_configured_authority_is_accepted() throws Exception {
        assertThat(post(site, site.authority())).isEqualTo(new DeliveryResult.Delivered());
        assertThat(site.taken()).isEqualTo(1);
    }

    @Test
    @Attack("a server with a certificate of its own receives the events of a webhook")
    void a_certificate_of_an_unknown_authority_is_refused_with_the_remedy() throws Exception {
        assertThat(post(elsewhere, null))
                .asString()
                .contains("the certificate of CN=Receiver, issued by CN=Authority of elsewhere, is not trusted")
                .contains("configure its certificate authority with 'authority-file'");
        assertThat(post(elsewhere, site.authority()))
                .asString()
                .contains("issued by CN=Authority of elsewhere")
                .contains("its issuer is not in authority-file " + site.authority());
        assertThat(elsewhere.taken()).isZero();
    }

    @Test
    @Attack("a server with a certificate for another host receives the events of a webhook")
    void a_certificate_for_another_host_is_refused() throws Exception {
        assertThat(post(elsewhere, elsewhere.authority()))
                .asString()
                .contains("the certificate of CN=Receiver")
                .contains("127.0.0.1")
                .doesNotContain("its issuer is not in");
        assertThat(elsewhere.taken()).isZero();
    }

    @Test
    void a_file_without_certificates_is_refused() throws Exception {
        final Path none = Files.writeString(folder.resolve("none.pem"), "");
        assertThatThrownBy(() -> WebhookDelivery.client(none)).hasMessageContaining(none + " contains no certificate");
        assertThatThrownBy(() -> WebhookDelivery.client(secret))
                .hasMessageContaining(secret + " contains no PEM certificates");
        assertThatThrownBy(() -> WebhookDelivery.client(folder.resolve("away.pem")))
                .hasMessageContaining("away.pem cannot be read");
    }
}
