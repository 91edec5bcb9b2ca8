package io.millrace.submit.handlers;

import io.millrace.sitefiles.Durations;
import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget.Mode;
import io.millrace.submit.domain.handler.HandlerTarget.Webhook;
import io.millrace.submit.domain.handler.HttpHeaderValue;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts CloudEvents with their HTTP binding, signed as in Standard Webhooks 1.0.0. Certificates are verified. Redirects are not followed,
 * so that only the operator decides where events go.
 */
final class WebhookDelivery implements Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookDelivery.class);

    private final Webhook webhook;
    private final HttpClient client;
    private final Clock clock;

    /** @throws IllegalArgumentException if its secret is missing */
    WebhookDelivery(final Webhook webhook, final HttpClient client, final Clock clock) {
        this.webhook = webhook;
        this.client = client;
        this.clock = clock;
        SecretReader.read(webhook.secret());
        SecretReader.warning(webhook.secret()).ifPresent(LOG::warn);
    }

    /**
     * Creates the HTTP client of a webhook.
     *
     * @throws IllegalArgumentException if the file of authorities contains no certificate
     */
    static HttpClient client(final @Nullable Path authorities) {
        return HttpClient.newBuilder()
                .sslContext(TrustedAuthorities.context(authorities, "authority-file"))
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public DeliveryResult deliver(final HandlerEvent event) throws InterruptedException {
        final HttpRequest request;
        try {
            request = request(event, SecretReader.read(webhook.secret()));
        } catch (IllegalArgumentException e) {
            return new DeliveryResult.Failed(String.valueOf(e.getMessage()));
        }
        // The timeout of the request covers the headers only, and a body can be sent slowly without end.
        final CompletableFuture<HttpResponse<Void>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            final HttpResponse<Void> response = answer.get(webhook.timeout().toMillis(), TimeUnit.MILLISECONDS);
            return DeliveryResult.of(
                    response.statusCode(),
                    response.headers().firstValue("Retry-After").orElse(null),
                    clock.instant());
        } catch (TimeoutException e) {
            return new DeliveryResult.Failed(
                    "the receiver did not complete its response within " + Durations.format(webhook.timeout()));
        } catch (ExecutionException e) {
            return new DeliveryResult.Failed("the receiver could not be reached: " + describe(e));
        } finally {
            answer.cancel(true);
        }
    }

    private String describe(final ExecutionException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case TrustedAuthorities.CertificateRefusedException refused -> {
                    return String.valueOf(refused.getMessage());
                }
                case UnresolvedAddressException unknown -> {
                    return "unknown host '" + webhook.address().getHost() + "'";
                }
                default -> {}
            }
        }
        final Throwable trouble = failure.getCause() == null ? failure : failure.getCause();
        if (trouble instanceof ConnectException) {
            return "connection refused by " + webhook.address().getRawAuthority()
                    + (trouble.getMessage() == null ? "" : " (" + trouble.getMessage() + ")");
        }
        final String message = trouble.getMessage();
        return trouble.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }

    private HttpRequest request(final HandlerEvent event, final List<WebhookSecret> secrets) {
        final boolean structured = webhook.mode() == Mode.STRUCTURED;
        final byte[] body =
                (structured ? EventEnvelope.structured(event) : event.data()).getBytes(StandardCharsets.UTF_8);
        final long now_s = clock.instant().getEpochSecond();
        final String id = event.id();
        final HttpRequest.Builder request = HttpRequest.newBuilder(webhook.address())
                .header("User-Agent", "Millrace")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(now_s))
                .header(
                        "webhook-signature",
                        secrets.stream()
                                .map(secret -> secret.sign(id, now_s, body))
                                .collect(Collectors.joining(" ")))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (structured) {
            return request.header("Content-Type", EventEnvelope.MEDIA_TYPE).build();
        }
        event.attributes().forEach((name, value) -> request.header("ce-" + name, HttpHeaderValue.encoded(value)));
        return request.header("Content-Type", "application/json").build();
    }
}
