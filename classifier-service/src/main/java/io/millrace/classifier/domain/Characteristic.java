package io.millrace.classifier.domain;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The characteristics of jobs, set H of the paper, each with the kind of values its domain holds. */
public enum Characteristic {
    /** Number of data variants: elements of a job array, 1 for a plain job. */
    VARIANTS(Kind.COUNT),
    /** Processor cores in all. */
    CORES(Kind.COUNT),
    /** Whole nodes asked for; not stated if the job asks for cores alone. */
    NODES(Kind.COUNT),
    GPUS(Kind.COUNT),
    /** Memory in MiB in all, if stated. */
    MEMORY_MIB(Kind.COUNT),
    /** Limit of the run; a job without one is longer than any bound. */
    WALLTIME(Kind.DURATION),
    PARTITION(Kind.NAME),
    OWNER(Kind.NAME),
    PROJECT(Kind.NAME);

    /** What the values of a characteristic are. */
    public enum Kind {
        COUNT,
        DURATION,
        NAME
    }

    private final Kind kind;

    Characteristic(final Kind kind) {
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** As written in a class file and in evidence: {@code memory_mib}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Characteristic> named(final String word) {
        return Arrays.stream(values()).filter(c -> c.label().equals(word)).findFirst();
    }

    /** All words, for messages. */
    public static String labels() {
        return String.join(
                ", ", Arrays.stream(values()).map(Characteristic::label).toList());
    }
}
