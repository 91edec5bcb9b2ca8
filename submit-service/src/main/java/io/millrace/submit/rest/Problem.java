package io.millrace.submit.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.submit.domain.RequestRefused;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Problem details (RFC 9457).
 *
 * @param errors the invalid fields
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@Schema(
        description =
                "Problem details (RFC 9457); 'detail' contains the error and its remedy, 'errors' every invalid field")
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String instance,
        List<FieldError> errors) {

    public static final String MEDIA_TYPE = "application/problem+json";

    /** An invalid field. */
    public record FieldError(String field, String reason) {}

    static Problem of(final int status, final String type, final String title, final String detail) {
        return new Problem("urn:millrace:problem:" + type, title, status, detail, null, List.of());
    }

    public static Problem of(final RequestRefused refused) {
        final Problem plain = switch (refused.kind()) {
            case MALFORMED -> of(400, "malformed", "The request cannot be read", refused.reason());
            case UNAUTHENTICATED -> of(401, "unauthenticated", "No valid token", refused.reason());
            case FORBIDDEN -> of(403, "forbidden", "Not permitted", refused.reason());
            case NOT_FOUND -> of(404, "not-found", "Not found", refused.reason());
            case CONFLICT -> of(409, "conflict", "Not possible in the current state", refused.reason());
            case OUTDATED -> of(412, "outdated", "Another version is in force", refused.reason());
            case TOO_LARGE -> of(413, "too-large", "Too large", refused.reason());
            case INVALID -> of(422, "invalid", "The request is invalid", refused.reason());
            case TOO_MANY -> of(429, "too-many-requests", "Too many requests", refused.reason());
            case VERSION_MISSING -> of(428, "version-missing", "If-Match is missing", refused.reason());
            case UNAVAILABLE -> of(503, "unavailable", "Try again later", refused.reason());
        };
        final List<FieldError> errors = refused.fields().stream()
                .map(field -> new FieldError(field.name(), field.reason()))
                .toList();
        return new Problem(plain.type, plain.title, plain.status, plain.detail, null, errors);
    }

    Problem at(final String path) {
        return new Problem(type, title, status, detail, path, errors);
    }
}
