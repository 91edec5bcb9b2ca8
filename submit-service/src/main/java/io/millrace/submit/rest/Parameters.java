package io.millrace.submit.rest;

import io.millrace.model.UserName;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads query and path parameters. */
public final class Parameters {

    private static final Pattern WHOLE_NUMBER = Pattern.compile("\\d{1,9}");

    private Parameters() {}

    /** The user whose data to show: the caller, or for operators the named user or all users (null). */
    static @Nullable public UserName owner(final Caller caller, final @Nullable String user) {
        final UserName requested = user == null ? null : read("user", user, UserName::of);
        if (caller.operator()) {
            return requested;
        }
        if (requested != null && !requested.equals(caller.user())) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN, "only operators may name another user; remove 'user'");
        }
        return caller.user();
    }

    /** The number of entries per page, from 1 to {@code max}. */
    public static int limit(final String text, final int max) {
        if (WHOLE_NUMBER.matcher(text).matches()) {
            final int limit = Integer.parseInt(text);
            if (limit >= 1 && limit <= max) {
                return limit;
            }
        }
        throw RequestRefused.malformed("limit", "must be a whole number between 1 and " + max + ", got '" + text + "'");
    }

    /** @throws RequestRefused (invalid) naming the parameter */
    public static <P, T> T read(final String name, final P value, final Function<P, T> reader) {
        try {
            return reader.apply(value);
        } catch (RuntimeException e) {
            throw RequestRefused.invalid(name, String.valueOf(e.getMessage()));
        }
    }
}
