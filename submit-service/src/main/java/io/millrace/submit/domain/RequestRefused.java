package io.millrace.submit.domain;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that the service refuses, with the reason for the caller. */
public final class RequestRefused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kind of a refusal; determines the HTTP status. */
    public enum Kind {
        /** The request cannot be read. */
        MALFORMED,
        /** The request can be read, but a value is invalid. */
        INVALID,
        UNAUTHENTICATED,
        FORBIDDEN,
        NOT_FOUND,
        CONFLICT,
        /** The request is based on a version that is no longer in force. */
        OUTDATED,
        /** The request must contain the version that it is based on. */
        VERSION_MISSING,
        TOO_LARGE,
        /** The caller, or all callers together, have reached a limit of the service. */
        TOO_MANY,
        /** Part of the service does not answer; the same request may succeed later. */
        UNAVAILABLE
    }

    /** An invalid field. */
    public record Field(String name, String reason) {}

    private final Kind kind;
    private final transient List<Field> fields;
    private @Nullable Duration retryAfter;

    public RequestRefused(final Kind kind, final String reason) {
        this(kind, reason, List.of());
    }

    public RequestRefused(final Kind kind, final String reason, final List<Field> fields) {
        super(reason);
        this.kind = kind;
        this.fields = List.copyOf(fields);
    }

    public static RequestRefused invalid(final List<Field> fields) {
        final Field first = fields.getFirst();
        final String more = fields.size() == 1 ? "" : " (and " + (fields.size() - 1) + " more)";
        return new RequestRefused(Kind.INVALID, "'" + first.name() + "' " + first.reason() + more, fields);
    }

    public static RequestRefused invalid(final String field, final String reason) {
        return invalid(List.of(new Field(field, reason)));
    }

    /** A parameter that cannot be read. */
    public static RequestRefused malformed(final String parameter, final String reason) {
        return new RequestRefused(
                Kind.MALFORMED, "'" + parameter + "' " + reason, List.of(new Field(parameter, reason)));
    }

    /**
     * A limit of the service is reached.
     *
     * @param reason names the limit, its figure, and the remedy
     * @param retryAfter when the same request may succeed
     */
    public static RequestRefused tooMany(final String reason, final Duration retryAfter) {
        final RequestRefused refused = new RequestRefused(Kind.TOO_MANY, reason);
        refused.retryAfter = retryAfter;
        return refused;
    }

    public static RequestRefused notFound(final String reason) {
        return new RequestRefused(Kind.NOT_FOUND, reason);
    }

    public Kind kind() {
        return kind;
    }

    public List<Field> fields() {
        return fields;
    }

    /** When the same request may succeed; null if that is not known. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
