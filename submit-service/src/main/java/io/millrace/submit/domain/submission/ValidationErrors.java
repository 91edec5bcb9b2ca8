package io.millrace.submit.domain.submission;

import io.millrace.submit.domain.RequestRefused;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects the invalid fields of a request, so that one response names them all. */
final class ValidationErrors {

    private final List<RequestRefused.Field> errors = new ArrayList<>();

    /** @return {@code instead}, with which validation continues */
    <T extends @Nullable Object> T add(final String field, final String reason, final T instead) {
        errors.add(new RequestRefused.Field(field, reason));
        return instead;
    }

    /** Adds errors that were found elsewhere. */
    void addAll(final Collection<RequestRefused.Field> more) {
        errors.addAll(more);
    }

    void require(final String field, final @Nullable Object value) {
        if (value == null) {
            add(field, "is missing", 0);
        }
    }

    <T> @Nullable T read(final String field, final @Nullable String text, final Function<String, T> reader) {
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            return add(field, String.valueOf(e.getMessage()), null);
        }
    }

    long range(final String field, final @Nullable Number value, final long from, final long to) {
        if (value == null) {
            return 0;
        }
        final long number = value.longValue();
        return number >= from && number <= to
                ? number
                : add(field, "must be between " + from + " and " + to + ", got " + number, 0L);
    }

    /** @throws RequestRefused naming every invalid field, if there are any */
    void throwIfAny() {
        if (!errors.isEmpty()) {
            throw RequestRefused.invalid(errors);
        }
    }
}
