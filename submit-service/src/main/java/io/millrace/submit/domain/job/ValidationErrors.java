package io.millrace.submit.domain.job;

import io.millrace.submit.domain.RequestRefused;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Everything that is wrong with what was sent, field by field, so that one answer names it all. */
final class ValidationErrors {

    private final List<RequestRefused.Field> wrong = new ArrayList<>();

    /** @return {@code instead}, with which the check goes on to find the next wrong field */
    <T extends @Nullable Object> T no(final String field, final String because, final T instead) {
        wrong.add(new RequestRefused.Field(field, because));
        return instead;
    }

    /** Those found elsewhere. */
    void addAll(final Collection<RequestRefused.Field> more) {
        wrong.addAll(more);
    }

    void need(final String field, final @Nullable Object value) {
        if (value == null) {
            no(field, "is missing", 0);
        }
    }

    <T> @Nullable T read(final String field, final @Nullable String text, final Function<String, T> reader) {
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            return no(field, String.valueOf(e.getMessage()), null);
        }
    }

    long within(final String field, final @Nullable Number value, final long from, final long to) {
        if (value == null) {
            return 0;
        }
        final long number = value.longValue();
        return number >= from && number <= to
                ? number
                : no(field, "must be between " + from + " and " + to + ", got " + number, 0L);
    }

    /** @throws RequestRefused naming every wrong field, if there is one */
    void refuse() {
        if (!wrong.isEmpty()) {
            throw RequestRefused.invalid(wrong);
        }
    }
}
