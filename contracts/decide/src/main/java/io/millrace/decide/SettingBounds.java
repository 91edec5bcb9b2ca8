package io.millrace.decide;

import java.time.Duration;

/** Bounds of the settings of a policy. An {@link IllegalArgumentException} names the key and the value. */
public final class SettingBounds {

    private SettingBounds() {}

    public static void requirePositive(final String key, final Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(key + " must be greater than zero, got " + value);
        }
    }

    public static void requireAtLeastOne(final String key, final int value) {
        if (value < 1) {
            throw new IllegalArgumentException(key + " must be at least 1, got " + value);
        }
    }

    public static void requireNotNegative(final String key, final int value) {
        if (value < 0) {
            throw new IllegalArgumentException(key + " must not be negative, got " + value);
        }
    }

    public static void requireNotNegative(final String key, final Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(key + " must not be negative, got " + value);
        }
    }
}
