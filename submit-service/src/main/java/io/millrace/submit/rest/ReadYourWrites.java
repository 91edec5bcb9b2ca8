package io.millrace.submit.rest;

import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.projection.WaitForProjection;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Makes a GET request wait for a record that an earlier response named. */
@ApplicationScoped
public class ReadYourWrites {

    private final WaitForProjection projection;

    ReadYourWrites(final WaitForProjection projection) {
        this.projection = projection;
    }

    /** @param header value of {@link Api#OFFSET}; null: do not wait */
    public void await(final @Nullable String header) {
        if (header != null && !projection.passed(position(header))) {
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
