package io.millrace.classifier.domain.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The functions by whose values the candidate classes of a job are reduced. */
public enum Stage {
    /** The share of a class's characteristics that the job satisfies, compared with all classes. */
    RHO,
    /** The ranks of these characteristics. A class with a higher best rank wins. */
    SIGMA,
    /** The sum of the weights of these characteristics. */
    OMEGA,
    /** The share of executed jobs with similar characteristics that belonged to the class. */
    PSI;

    /** As it is written in a model: {@code rho}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Stage> named(final String word) {
        return Arrays.stream(values())
                .filter(stage -> stage.label().equals(word))
                .findFirst();
    }

    /** All names, for messages. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Stage::label).toList();
    }
}
