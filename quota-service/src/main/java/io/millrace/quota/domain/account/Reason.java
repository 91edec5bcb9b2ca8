package io.millrace.quota.domain.account;

import java.util.function.Supplier;

/**
 * The reason of an entitlement. Its text before the first bracket stays the same as long as the level does, and only this part is compared
 * with what is published; the figures in the bracket are those at the time of the decision, and are written only if the reason is.
 *
 * @param words the beginning of the lasting part
 * @param subject the rest of the lasting part, such as a quota
 * @param figures the rest, which begins with a bracket; or nothing
 */
record Reason(String words, String subject, Supplier<String> figures) {

    /** A reason whose text is known. */
    static Reason of(final String text) {
        final int bracket = text.indexOf('(');
        return bracket < 0
                ? new Reason(text, "", () -> "")
                : new Reason(text.substring(0, bracket), "", () -> text.substring(bracket));
    }

    Reason and(final String more) {
        return of(text() + more);
    }

    String text() {
        return words + subject + figures.get();
    }

    /** Whether the lasting part of a published reason is the same. */
    boolean lastsIn(final String published) {
        final int end = words.length() + subject.length();
        return published.startsWith(words)
                && published.startsWith(subject, words.length())
                && (published.length() == end || published.charAt(end) == '(');
    }
}
