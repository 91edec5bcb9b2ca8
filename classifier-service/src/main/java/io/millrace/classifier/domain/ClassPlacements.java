package io.millrace.classifier.domain;

import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.model.policy.ClassPlacement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of a model that restricts where jobs are moved: suitable clusters, and the range of the run time of each class. */
public final class ClassPlacements {

    /** The characteristic with the requested walltime. */
    private static final String MINUTES = "minutes";

    private static final int SECONDS_PER_MINUTE = 60;

    private ClassPlacements() {}

    /** Only classes with a restriction. */
    public static List<ClassPlacement> of(final ClassModel model) {
        return model.classes().stream()
                .map(ClassPlacements::of)
                .filter(one -> !one.clusters().isEmpty()
                        || one.shortestSeconds() != null
                        || one.longestSeconds() != null
                        || one.limitSeconds() != null)
                .toList();
    }

    private static ClassPlacement of(final JobClass one) {
        final NumberRange range = one.domain(MINUTES) instanceof NumberRange minutes ? minutes : NumberRange.ANY;
        return new ClassPlacement(
                one.name(),
                one.clusters(),
                range.low() <= 0 ? null : seconds(Math.ceil(range.low() * SECONDS_PER_MINUTE)),
                seconds(Math.floor(range.high() * SECONDS_PER_MINUTE)),
                one.movedRunTime() == null ? null : one.movedRunTime().toSeconds());
    }

    private static @Nullable Long seconds(final double bound) {
        return Double.isInfinite(bound) ? null : (Long) (long) bound;
    }
}
