package io.millrace.model;

import java.util.regex.Pattern;

/** The key with which a client repeats a request safely. A client checks it too, because not every key arrives as a header. */
public final class IdempotencyKey {

    /** After the name of the option or header, in messages. */
    public static final String RULE = "must have 1 to 255 printable ASCII characters without spaces";

    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7E]{1,255}");

    private IdempotencyKey() {}

    public static boolean isValid(final String key) {
        return FORM.matcher(key).matches();
    }
}
