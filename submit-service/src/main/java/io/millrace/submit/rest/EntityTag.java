package io.millrace.submit.rest;

import io.millrace.submit.domain.Refused;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The version of what can be changed, as an entity tag (RFC 9110, 8.8.3): {@code "3"}; {@code "0"} where none was ever set. */
final class EntityTag {

    private static final Pattern ETAG = Pattern.compile("\"(\\d{1,18})\"");

    private EntityTag() {}

    static String of(final long version) {
        return "\"" + version + "\"";
    }

    /** @param match the header If-Match */
    static long version(final @Nullable String match) {
        if (match == null) {
            throw new Refused(
                    Refused.Kind.VERSION_MISSING,
                    "say with If-Match which version you change: the ETag of a GET (\"0\" where none was ever set)");
        }
        final Matcher etag = ETAG.matcher(match.strip());
        if (!etag.matches()) {
            throw new Refused(
                    Refused.Kind.MALFORMED, "If-Match must be one version in quotes, such as \"3\", got " + match);
        }
        return Long.parseLong(etag.group(1));
    }
}
