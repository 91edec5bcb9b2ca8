package io.millrace.classifier.domain.model;

import java.util.Arrays;
import java.util.List;

/**
 * A stage of reduction as a model uses it.
 *
 * @param delta values that differ by no more than this from the largest are equivalent to it; at least zero
 */
public record StageRule(Stage stage, double delta) {

    /** All four stages in the order of the paper, with no difference allowed. */
    public static final List<StageRule> DEFAULT =
            Arrays.stream(Stage.values()).map(stage -> new StageRule(stage, 0)).toList();

    public StageRule {
        if (!(delta >= 0) || Double.isInfinite(delta)) {
            throw new IllegalArgumentException(
                    "delta of " + stage.label() + " must be a number of at least zero, got " + delta);
        }
    }
}
