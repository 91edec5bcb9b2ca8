package io.millrace.classifier.domain.model;

import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds values of a characteristic in a text about a job.
 *
 * @param field the text that is searched, such as {@code script} or {@code environment.URGENCY}
 * @param pattern found anywhere in the text; {@code ^} and {@code $} match at each line
 * @param value the value if the pattern is found; null: the first group of the pattern, or all that it matches if it has none
 */
public record Extractor(
        String field, Pattern pattern, @Nullable String value) {

    /** @throws java.util.regex.PatternSyntaxException if it is not a regular expression */
    public static Extractor of(final String field, final String expression, final @Nullable String value) {
        return new Extractor(field, Pattern.compile(expression, Pattern.MULTILINE), value);
    }

    /** The values in the order in which they are found. */
    public Stream<String> values(final String text) {
        return pattern.matcher(text).results().map(match -> {
            if (value != null) {
                return value;
            }
            return match.groupCount() > 0 && match.group(1) != null ? match.group(1) : match.group();
        });
    }

    @Override
    public boolean equals(final @Nullable Object other) {
        return other instanceof Extractor extractor
                && field.equals(extractor.field)
                && pattern.pattern().equals(extractor.pattern.pattern())
                && Objects.equals(value, extractor.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(field, pattern.pattern(), value);
    }
}
