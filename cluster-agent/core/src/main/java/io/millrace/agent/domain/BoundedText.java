package io.millrace.agent.domain;

import java.nio.charset.StandardCharsets;

/** Texts whose length only users and the workload manager determine, cut so that they fit into a record, and as valid Unicode. */
public final class BoundedText {

    /** Longer than any job name that a supported workload manager accepts (LSF: 4,094 characters). */
    public static final int MOST_CHARACTERS = 4096;

    /** Of the remark at the end of a text that was cut; a text that is longer by no more is kept, so cutting again changes nothing. */
    private static final int MOST_REMARK = 25;

    private BoundedText() {}

    public static String of(final String text) {
        return of(text, MOST_CHARACTERS);
    }

    /** The beginning of the text, {@code most} characters, and its length. */
    static String of(final String text, final int most) {
        if (text.length() > most + MOST_REMARK) {
            final int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
            return valid(text.substring(0, end)) + "… (" + text.length() + " characters)";
        }
        return valid(text);
    }

    /** Half a surrogate pair has no JSON form; it becomes a question mark. */
    private static String valid(final String text) {
        for (int at = 0; at < text.length(); at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            }
        }
        return text;
    }
}
