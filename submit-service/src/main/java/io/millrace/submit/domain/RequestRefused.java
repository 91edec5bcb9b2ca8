package io.millrace.submit.domain;

import java.util.List;

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
        /** The caller has as many open requests of this kind as are allowed. */
        TOO_MANY,
        /** Part of the service does not answer; the same request may succeed later. */
        UNAVAILABLE
    }

    /** An invalid field. */
    public record Field(String name, String reason) {}

    private final Kind kind;
    private final transient List<Field> fields;

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

    public static RequestRefused notFound(final String reason) {
        return new RequestRefused(Kind.NOT_FOUND, reason);
    }

    public Kind kind() {
        return kind;
    }

    public List<Field> fields() {
        return fields;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
