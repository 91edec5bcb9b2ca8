package io.millrace.agent.pbs;

import org.jspecify.annotations.Nullable;

/**
 * The value of {@code Hold_Types}: {@code u} user, {@code o} operator, {@code s} system (also set for an unfulfilled dependency),
 * {@code p} bad password, {@code n} none. Letters can be combined ({@code us}).
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

    /** Whether there is a hold other than user, operator and system. */
    public boolean other() {
        return letters.chars().anyMatch(letter -> "uos".indexOf(letter) < 0);
    }
}
