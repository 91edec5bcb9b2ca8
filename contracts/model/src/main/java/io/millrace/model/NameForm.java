package io.millrace.model;

import java.util.regex.Pattern;

/**
 * A form of valid names. Other values never enter the system, so later code does not need to quote them.
 *
 * @param rule the pattern in words, for messages
 */
record NameForm(Pattern pattern, String rule) {

    /** Characters of an invalid name in a message. */
    private static final int LONGEST_SHOWN = 100;

    /** Lower-case DNS-label-like names. */
    static final NameForm NAME = of(
            "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
            "at most 63 lower-case letters, digits and '-', not '-' at the beginning or end");

    /** Accounts as sites have them, backslash-free; {@code $} may end the name of a machine account. */
    static final NameForm ACCOUNT = of(
            "[\\p{L}\\p{N}_][\\p{L}\\p{N}_.@+-]{0,127}\\$?",
            "at most 128 letters, digits and _ . @ + -, beginning with a letter, digit or _");

    /** Anything printable without blanks. */
    static final NameForm TOKEN = of(
            "[^\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}-][^\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}]{0,254}",
            "at most 255 printable characters without spaces, not '-' at the beginning");

    static NameForm of(final String pattern, final String rule) {
        return new NameForm(Pattern.compile(pattern), rule);
    }

    boolean isValid(final String value) {
        return pattern.matcher(value).matches();
    }

    /** @param what what the value is, such as "user name" */
    void require(final String value, final String what) {
        if (!isValid(value)) {
            final String shown = value.length() <= LONGEST_SHOWN ? value : value.substring(0, LONGEST_SHOWN) + "…";
            throw new IllegalArgumentException(
                    "'" + Text.escaped(shown) + "' is not a valid " + what + "; use " + rule);
        }
    }
}
