package io.millrace.submit.domain.identity;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A name of a file of the site, in which {@code *} matches any characters. */
public record NamePattern(String text) {

    public NamePattern {
        if (text.isBlank()) {
            throw new IllegalArgumentException("the name is empty; write a name or a pattern such as 'cl_*'");
        }
    }

    public static NamePattern of(final String text) {
        return new NamePattern(text);
    }

    /** Whether it names exactly one. */
    boolean isName() {
        return !text.contains("*");
    }

    boolean matches(final String name) {
        return isName()
                ? text.equals(name)
                : Pattern.matches(
                        Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), name);
    }
}
