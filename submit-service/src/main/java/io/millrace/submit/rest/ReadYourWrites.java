package io.millrace.submit.rest;

import io.millrace.submit.AwaitProjection;
import io.millrace.submit.domain.Position;
import io.millrace.submit.domain.Refused;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Lets a GET wait for a record that an earlier answer named. */
@ApplicationScoped
class ReadYourWrites {

    private final AwaitProjection projection;

    ReadYourWrites(final AwaitProjection projection) {
        this.projection = projection;
    }

    /** @param header value of {@link Api#OFFSET}; null waits for nothing */
    void await(final @Nullable String header) {
        if (header != null && !projection.passed(position(header))) {
            throw new Refused(
                    Refused.Kind.UNAVAILABLE,
                    "the read model has not reached " + header + " yet: ask again, or without it");
        }
    }

    private static Position position(final String header) {
        try {
            return Position.of(header);
        } catch (IllegalArgumentException e) {
            throw new Refused(Refused.Kind.MALFORMED, Api.OFFSET + ": " + e.getMessage());
        }
    }
}
