package io.millrace.submit.rest;

import io.millrace.submit.domain.RequestRefused;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Versions as entity tags (RFC 9110, 8.8.3): {@code "3"}, or {@code "0"} if never set. */
public final class EntityTag {

    private static final Pattern ETAG = Pattern.compile("\"(\\d{1,18})\"");

    private EntityTag() {}

    public static String of(final long version) {
        return "\"" + version + "\"";
    }

    /** @param match the If-Match header */
    public static long version(final @Nullable String match) {
        if (match == null) {
            throw new RequestRefused(
                    RequestRefused.Kind.VERSION_MISSING,
                    "If-Match is missing; send the ETag of a GET (\"0\" if never set)");
        }
        final Matcher etag = ETAG.matcher(match.strip());
        if (!etag.matches()) {
            throw new RequestRefused(
                    RequestRefused.Kind.MALFORMED,
                    "If-Match must be one version in quotes such as \"3\", got " + match);
        }
        return Long.parseLong(etag.group(1));
    }
}
