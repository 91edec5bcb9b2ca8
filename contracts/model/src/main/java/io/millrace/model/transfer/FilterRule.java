package io.millrace.model.transfer;

import io.millrace.model.Text;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which files a copy transfers: a rule of rsync, {@code - PATTERN} to exclude or {@code + PATTERN} to include. Of several rules, the
 * first whose pattern matches a name decides (rsync(1), "FILTER RULES" and "PATTERN MATCHING RULES").
 */
public record FilterRule(String value) {

    private static final int MAX_LENGTH = 1000;
    private static final Pattern FORM = Pattern.compile("[-+] .*[^ ]");

    /** @throws IllegalArgumentException if it is not an exclude or include rule without modifiers */
    public FilterRule {
        if (!FORM.matcher(value).matches() || !Text.isPlain(value)) {
            throw new IllegalArgumentException("'" + Text.escaped(value)
                    + "' is not a filter rule; write '- PATTERN' to exclude or '+ PATTERN' to include files,"
                    + " e.g. '- *.tmp'");
        }
        if (value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a filter rule has at most " + MAX_LENGTH + " characters, got " + value.length());
        }
    }

    public static FilterRule of(final String value) {
        return new FilterRule(value);
    }

    /** As an optional field of an event: null for none. */
    public static @Nullable List<FilterRule> orNull(final @Nullable List<FilterRule> rules) {
        return rules == null || rules.isEmpty() ? null : List.copyOf(rules);
    }

    @Override
    public String toString() {
        return value;
    }
}
