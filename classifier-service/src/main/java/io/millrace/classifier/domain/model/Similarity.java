package io.millrace.classifier.domain.model;

import java.util.List;

/**
 * Which executed jobs count as similar to a job: they agree in each of these characteristics. A characteristic that both jobs omit
 * agrees. Numbers agree if they are in the same step of a logarithmic scale, all other values if they are equal.
 *
 * @param characteristics none: all of the model
 * @param ratio the ratio between two steps of the scale; 1: numbers agree if they are equal
 */
public record Similarity(List<String> characteristics, double ratio) {

    /** All characteristics, numbers by powers of two. */
    public static final Similarity DEFAULT = new Similarity(List.of(), 2);

    public Similarity {
        characteristics = List.copyOf(characteristics);
        if (!(ratio >= 1) || Double.isInfinite(ratio)) {
            throw new IllegalArgumentException("ratio must be a number of at least 1, got " + ratio);
        }
    }
}
