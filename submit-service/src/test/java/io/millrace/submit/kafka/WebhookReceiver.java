package io.millrace.submit.kafka;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A webhook endpoint with scripted responses. */
final class WebhookReceiver implements AutoCloseable {

    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    /** A received request. */
    record Got(String id, String type, String subject, String contentType, String body, boolean signed) {}

    /** The reaction to one request. */
    interface Behaviour {
        void answer(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final ConcurrentLinkedQueue<Behaviour> script = new ConcurrentLinkedQueue<>();
    private final List<Got> got = new ArrayList<>();
    private volatile Behaviour otherwise = status(204);

    WebhookReceiver() throws IOException {
        this(0);
    }

    WebhookReceiver(final int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::take);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Uses these reactions for the next requests, then accepts every request. */
    WebhookReceiver then(final Behaviour... behaviours) {
        script.addAll(List.of(behaviours));
        return this;
    }

    WebhookReceiver always(final Behaviour behaviour) {
        otherwise = behaviour;
        return this;
    }

    static Behaviour status(final int status) {
        return exchange -> exchange.sendResponseHeaders(status, -1);
    }

    static Behaviour busy(final String retryAfter_s) {
        return exchange -> {
            exchange.getResponseHeaders().add("Retry-After", retryAfter_s);
            exchange.sendResponseHeaders(429, -1);
        };
    }

    /** Sends the headers but no body. */
    static Behaviour endless() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** Closes the connection without a response. */
    static Behaviour hangUp() {
        return exchange -> {
            throw new IOException("hung up");
        };
    }

    private void take(final HttpExchange exchange) throws IOException {
        final byte[] body = exchange.getRequestBody().readAllBytes();
        synchronized (got) {
            got.add(new Got(
                    header(exchange, "webhook-id"),
                    header(exchange, "ce-type"),
                    header(exchange, "ce-subject"),
                    header(exchange, "Content-Type"),
                    new String(body, StandardCharsets.UTF_8),
                    isSigned(exchange, body)));
            got.notifyAll();
        }
        final Behaviour next = script.poll();
        (next == null ? otherwise : next).answer(exchange);
        exchange.close();
    }

    private static String header(final HttpExchange exchange, final String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    /** Verifies the signature without production code. */
    private static boolean isSigned(final HttpExchange exchange, final byte[] body) {
        try {
            final Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring("whsec_".length())), "HmacSHA256"));
            mac.update((header(exchange, "webhook-id") + "." + header(exchange, "webhook-timestamp") + ".")
                    .getBytes(StandardCharsets.UTF_8));
            final String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
            return List.of(header(exchange, "webhook-signature").split(" ")).contains(expected);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    List<Got> got() {
        synchronized (got) {
            return List.copyOf(got);
        }
    }

    /** Waits until enough requests arrived. */
    List<Got> await(final Predicate<List<Got>> enough) throws InterruptedException {
        synchronized (got) {
            while (!enough.test(got)) {
                got.wait();
            }
            return List.copyOf(got);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
