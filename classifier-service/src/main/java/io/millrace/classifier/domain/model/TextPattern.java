package io.millrace.classifier.domain.model;

import java.util.regex.Pattern;

/**
 * Texts that match a regular expression as a whole. Whether one expression includes another is decided only where it is evident: they are
 * equal, or this one matches every text.
 */
public record TextPattern(Pattern pattern) implements Domain {

    /** Every text. */
    public static final TextPattern ANY = of(".*");

    /** @throws java.util.regex.PatternSyntaxException if it is not a regular expression */
    public static TextPattern of(final String expression) {
        return new TextPattern(Pattern.compile(expression, Pattern.DOTALL));
    }

    public boolean matches(final String text) {
        return pattern.matcher(text).matches();
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public boolean includes(final Domain other) {
        return switch (other) {
            case OneOf some -> some.values().stream().allMatch(this::matches);
            case TextPattern text -> equals(ANY) || equals(text);
            case NumberRange range -> false;
            case SetDomain sets -> false;
        };
    }

    @Override
    public boolean intersects(final Domain other) {
        return other instanceof TextPattern
                || other instanceof OneOf some && some.values().stream().anyMatch(this::matches);
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof TextPattern text && pattern.pattern().equals(text.pattern.pattern());
    }

    @Override
    public int hashCode() {
        return pattern.pattern().hashCode();
    }

    @Override
    public String toString() {
        return "/" + pattern.pattern() + "/";
    }
}
