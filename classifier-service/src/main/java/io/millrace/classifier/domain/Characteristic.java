package io.millrace.classifier.domain;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The characteristics of jobs (set H of the paper), each with the type of its values. */
public enum Characteristic {
    /** Number of data variants: elements of a job array, 1 for a plain job. */
    VARIANTS(Kind.COUNT),
    /** Processor cores in total. */
    CORES(Kind.COUNT),
    /** Requested nodes; absent if the job requests only cores. */
    NODES(Kind.COUNT),
    GPUS(Kind.COUNT),
    /** Memory in MiB in total, if requested. */
    MEMORY_MIB(Kind.COUNT),
    /** Walltime limit; a job without one exceeds every bound. */
    WALLTIME(Kind.DURATION),
    PARTITION(Kind.NAME),
    OWNER(Kind.NAME),
    PROJECT(Kind.NAME);

    /** The type of the values of a characteristic. */
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

    /** All labels, for messages. */
    public static String labels() {
        return String.join(
                ", ", Arrays.stream(values()).map(Characteristic::label).toList());
    }
}
