package io.millrace.submit.rest;

import io.millrace.submit.config.SubmitSettings;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Tokens never cross a network in plain text: without TLS, the service listens on loopback addresses only, unless a proxy is in front of it. On a
 * loopback address, the Host header must name this machine. Otherwise a page of another site, whose name suddenly resolves to a loopback
 * address (DNS rebinding), could read answers through the user's browser.
 */
@ApplicationScoped
class ListenSafely {

    private static final int BEFORE_OTHER_HANDLERS = 1000;
    private static final int MISDIRECTED = 421;
    private static final Pattern LOOPBACK =
            Pattern.compile("(?i)(localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1])(:\\d{1,5})?");

    private final SubmitSettings settings;
    private final String host;

    ListenSafely(final SubmitSettings settings, @ConfigProperty(name = "quarkus.http.host") final String host) {
        this.settings = settings;
        this.host = host;
    }

    /** @throws IllegalStateException if tokens would cross a network in plain text, or TLS is half configured */
    void check(@Observes final StartupEvent started) {
        final SubmitSettings.Tls tls = settings.tls();
        if (tls.certificate().isPresent() != tls.key().isPresent()) {
            throw new IllegalStateException(
                    "millrace.submit.tls.certificate and millrace.submit.tls.key must both be set, or neither");
        }
        if (!hasTls() && !settings.behindProxy() && !isLoopback(host)) {
            throw new IllegalStateException("without TLS, tokens would cross the network at address '" + host
                    + "' (quarkus.http.host) in plain text; set millrace.submit.tls.certificate and .key, use 127.0.0.1,"
                    + " or set millrace.submit.behind-proxy=true if a proxy with TLS is in front of the service");
        }
    }

    void register(@Observes final Filters filters) {
        if (!hasTls() && !settings.behindProxy()) {
            filters.register(ListenSafely::refuseOtherHosts, BEFORE_OTHER_HANDLERS);
        }
    }

    private boolean hasTls() {
        return settings.tls().certificate().isPresent();
    }

    private static void refuseOtherHosts(final RoutingContext context) {
        final HttpServerRequest request = context.request();
        if (namesThisMachine(request.getHeader("Host"))) {
            context.next();
        } else {
            context.response()
                    .setStatusCode(MISDIRECTED)
                    .putHeader("Content-Type", Problem.MEDIA_TYPE)
                    .end("{\"type\":\"urn:millrace:problem:misdirected\",\"title\":\"Not for this host\",\"status\":"
                            + MISDIRECTED
                            + ",\"detail\":\"this service answers requests for 127.0.0.1 and localhost only;"
                            + " set MILLRACE_API accordingly\"}");
        }
    }

    /** Clients other than browsers may send no Host header. */
    static boolean namesThisMachine(final @Nullable String header) {
        return header == null || LOOPBACK.matcher(header).matches();
    }

    static boolean isLoopback(final String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
