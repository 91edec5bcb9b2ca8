package io.millrace.submit.rest;

import io.millrace.submit.domain.log.LogPosition;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Responses with the headers that their OpenAPI description names. */
public final class Responses {

    private Responses() {}

    /** @param position of the change on the log; null if an earlier request has made it */
    public static Response.ResponseBuilder accepted(final Object view, final @Nullable LogPosition position) {
        return Response.accepted(view).header(Api.OFFSET, position);
    }

    public static Response versioned(final Object view, final long version) {
        return Response.ok(view).header(HttpHeaders.ETAG, EntityTag.of(version)).build();
    }
}
