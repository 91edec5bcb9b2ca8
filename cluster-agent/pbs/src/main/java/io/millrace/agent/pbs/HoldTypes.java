package io.millrace.agent.pbs;

import org.jspecify.annotations.Nullable;

/**
 * The letters of {@code Hold_Types}: {@code u} its owner's, {@code o} an operator's, {@code s} the system's (an unfulfilled dependency is
 * one), {@code p} a bad password, {@code n} none; several may stand together ({@code us}).
 */
public record HoldTypes(String letters) {

    public static final HoldTypes NONE = new HoldTypes("");

    public static HoldTypes read(final @Nullable String text) {
        return text == null ? NONE : new HoldTypes(text.strip().replaceAll("[n,\\s]", ""));
    }

    public boolean any() {
        return !letters.isEmpty();
    }

    public boolean user() {
        return letters.indexOf('u') >= 0;
    }

    public boolean operator() {
        return letters.indexOf('o') >= 0;
    }

    public boolean system() {
        return letters.indexOf('s') >= 0;
    }

    /** Whether a letter is set that none of the three questions asks for. */
    public boolean other() {
        return letters.chars().anyMatch(letter -> "uos".indexOf(letter) < 0);
    }
}
