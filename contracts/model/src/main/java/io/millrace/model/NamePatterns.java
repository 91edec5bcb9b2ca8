package io.millrace.model;

import java.util.regex.Pattern;

/** The patterns of valid names. Other values never enter the system, so later code does not need to quote them. */
final class NamePatterns {

    /** Lower-case DNS-label-like names. */
    static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    /** Accounts as sites have them: letters, digits, dot, underscore, dash, at-sign, backslash-free, no leading dash. */
    static final Pattern ACCOUNT = Pattern.compile("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.@+-]{0,127}\\$?");

    /** Anything printable without blanks, at most 255 characters, no leading dash. */
    static final Pattern TOKEN = Pattern.compile("[^\\s\\p{Cntrl}-][^\\s\\p{Cntrl}]{0,254}");

    private NamePatterns() {}

    static void require(final String value, final String what, final Pattern form) {
        if (!form.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "'" + value + "' is not a valid " + what + " name (expected " + form + ")");
        }
    }
}
