package io.millrace.submit.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.submit.domain.RequestRefused;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Turns bodies away that say themselves that they are too large, without keeping a byte of them. */
@ApplicationScoped
class BodySizeLimit {

    /** Largest body in bytes. */
    static final int LIMIT = 1024 * 1024;

    static final RequestRefused REFUSED = new RequestRefused(
            RequestRefused.Kind.TOO_LARGE, "the body has more than " + LIMIT + " bytes: leave data in the job's directory");

    private static final int WORTH_READING = 8 * LIMIT;
    private static final int BEFORE_ALL_OTHERS = 1000;

    private final ObjectMapper json;

    BodySizeLimit(final ObjectMapper json) {
        this.json = json;
    }

    void register(@Observes final Filters filters) {
        filters.register(this::check, BEFORE_ALL_OTHERS);
    }

    private void check(final RoutingContext context) {
        if (length(context) <= LIMIT) {
            context.next();
            return;
        }
        if (length(context) > WORTH_READING) {
            refuse(context);
            return;
        }
        // Whoever is still sending would see a broken connection instead of the answer.
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
                    if (length(context) > WORTH_READING) {
                        context.request().connection().close();
                    }
                });
    }

    private static long length(final RoutingContext context) {
        final String length = context.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE; // more digits than a length has
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
