package io.millrace.classifier.domain.model;

import java.util.Locale;

/**
 * A characteristic of jobs: h_i of the paper.
 *
 * @param domain all its values (D_i without the symbol "undefined")
 * @param rank r_i, its degree of importance; at least 1, and a higher rank is more important
 * @param weight w_i, its importance as a number; greater than zero
 */
public record Characteristic(String name, Kind kind, Domain domain, int rank, double weight) {

    /** The type of the values. */
    public enum Kind {
        NUMBER,
        /** One of listed values. */
        ENUM,
        /** Any number of elements. */
        SET,
        BOOLEAN,
        TEXT;

        /** Whether values of this kind can form such a domain. */
        public boolean has(final Domain domain) {
            return switch (domain) {
                case NumberRange range -> this == NUMBER;
                case OneOf some -> this == ENUM || this == BOOLEAN || this == TEXT;
                case SetDomain sets -> this == SET;
                case TextPattern text -> this == TEXT;
            };
        }

        /** As it is written in a model: {@code number}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Characteristic {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a characteristic needs a name");
        }
        if (!kind.has(domain)) {
            throw new IllegalArgumentException("'" + domain + "' is not a domain of type " + kind.label());
        }
        if (domain.isEmpty()) {
            throw new IllegalArgumentException("characteristic '" + name + "' has no values");
        }
        if (rank < 1) {
            throw new IllegalArgumentException("rank must be at least 1, got " + rank);
        }
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new IllegalArgumentException("weight must be greater than zero, got " + weight);
        }
    }

    /**
     * Checks a domain that a job requires.
     *
     * @throws IllegalArgumentException if it is empty or not inside the domain of this characteristic
     */
    public void check(final Domain required) {
        if (!kind.has(required)) {
            throw new IllegalArgumentException(name + ": '" + required + "' is not of type " + kind.label());
        }
        if (required.isEmpty()) {
            throw new IllegalArgumentException(name + ": '" + required + "' is empty: no value satisfies it");
        }
        if (!domain.includes(required)) {
            throw new IllegalArgumentException(name + ": '" + required + "' is not inside " + domain);
        }
    }
}
