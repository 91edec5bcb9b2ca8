package io.millrace.submit.rest;

import io.millrace.submit.EndOfLog;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.limits.WaitingPlaces;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.SecurityContext;
import org.jspecify.annotations.Nullable;

/** Makes a GET request wait for a record that an earlier response named. */
@ApplicationScoped
public class ReadYourWrites {

    private final WaitForProjection projection;
    private final EndOfLog end;
    private final WaitingPlaces places;

    ReadYourWrites(final WaitForProjection projection, final EndOfLog end, final WaitingPlaces places) {
        this.projection = projection;
        this.end = end;
        this.places = places;
    }

    /**
     * @param header value of {@link Api#OFFSET}; null: do not wait
     * @throws RequestRefused if the log has no such record, the caller has too many waiting requests, or it takes too long
     */
    public void await(final SecurityContext security, final @Nullable String header) {
        if (header == null) {
            return;
        }
        final LogPosition position = position(header);
        if (projection.hasPassed(position)) {
            return;
        }
        if (position.offset() >= end.of(position)) {
            throw new RequestRefused(
                    RequestRefused.Kind.MALFORMED,
                    Api.OFFSET + ": the log does not contain " + header
                            + "; send the value of an earlier response, or omit " + Api.OFFSET);
        }
        if (!places.waiting(CallerContext.caller(security).user(), () -> projection.passed(position))) {
            throw new RequestRefused(
                    RequestRefused.Kind.UNAVAILABLE,
                    "the read model has not reached " + header + "; retry, or omit " + Api.OFFSET);
        }
    }

    private static LogPosition position(final String header) {
        try {
            return LogPosition.of(header);
        } catch (IllegalArgumentException e) {
            throw new RequestRefused(RequestRefused.Kind.MALFORMED, Api.OFFSET + ": " + e.getMessage());
        }
    }
}
