package io.millrace.submit.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.submit.domain.RequestRefused;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Refuses requests with a Content-Length above the limit, without buffering the body. */
@ApplicationScoped
class BodySizeLimit {

    /** Maximum body size in bytes. */
    static final int LIMIT = 1024 * 1024;

    static final RequestRefused REFUSED = new RequestRefused(
            RequestRefused.Kind.TOO_LARGE,
            "the body has more than " + LIMIT + " bytes; put data into the job's directory");

    private static final int MAX_DRAINED = 8 * LIMIT;
    private static final int FIRST_FILTER = 1000;

    private final ObjectMapper json;

    BodySizeLimit(final ObjectMapper json) {
        this.json = json;
    }

    void register(@Observes final Filters filters) {
        filters.register(this::check, FIRST_FILTER);
    }

    private void check(final RoutingContext context) {
        if (length(context) <= LIMIT) {
            context.next();
            return;
        }
        if (length(context) > MAX_DRAINED) {
            refuse(context);
            return;
        }
        // A client that is still sending would get a connection error instead of the response.
        context.request()
                .handler(bytes -> {})
                .endHandler(end -> refuse(context))
                .resume();
    }

    private void refuse(final RoutingContext context) {
        context.response()
                .setStatusCode(413)
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .end(text(Problem.of(REFUSED).at(context.normalizedPath())))
                .onComplete(done -> {
                    if (length(context) > MAX_DRAINED) {
                        context.request().connection().close();
                    }
                });
    }

    private static long length(final RoutingContext context) {
        final String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE; // more digits than a long
        }
    }

    private String text(final Problem problem) {
        try {
            return json.writeValueAsString(problem);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem is always JSON", e);
        }
    }
}
