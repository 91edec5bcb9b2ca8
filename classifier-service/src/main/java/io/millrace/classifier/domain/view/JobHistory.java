package io.millrace.classifier.domain.view;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.Similarity;
import io.millrace.classifier.domain.plan.GivenDomains;
import io.millrace.classifier.domain.plan.SimilarJobs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Counts executed jobs by class and by the characteristics that they share. Its size grows with the number of dissimilar jobs only. Not for several threads. */
public final class JobHistory implements SimilarJobs {

    private static final long[] NO_JOBS = {};
    private static final double OFFSET = 1e9;

    private final int[] compared;
    private final double step;
    private final Map<String, Integer> classes = new HashMap<>();
    private final Map<List<@Nullable Object>, long[]> counts = new HashMap<>();

    public JobHistory(final ClassModel model) {
        final Similarity similarity = model.similarity();
        final List<String> all =
                model.characteristics().stream().map(Characteristic::name).toList();
        compared = IntStream.range(0, all.size())
                .filter(i -> similarity.characteristics().isEmpty()
                        || similarity.characteristics().contains(all.get(i)))
                .toArray();
        step = Math.log(similarity.ratio());
        for (int j = 0; j < model.classes().size(); j++) {
            classes.put(model.classes().get(j).name(), j);
        }
    }

    /**
     * Adds an executed job.
     *
     * @param jobClasses the classes it had; those that the model no longer has are ignored
     */
    public void executed(final GivenDomains job, final List<String> jobClasses) {
        final long[] byClass = counts.computeIfAbsent(likeness(job), k -> new long[classes.size()]);
        for (final String name : jobClasses) {
            final Integer jobClass = classes.get(name);
            if (jobClass != null) {
                byClass[jobClass]++;
            }
        }
    }

    @Override
    public long[] count(final GivenDomains job) {
        return counts.getOrDefault(likeness(job), NO_JOBS);
    }

    /** What similar jobs have in common. */
    private List<@Nullable Object> likeness(final GivenDomains job) {
        final @Nullable Object[] parts = new Object[compared.length];
        for (int p = 0; p < parts.length; p++) {
            final Domain given = job.get(compared[p]);
            parts[p] = given instanceof NumberRange range ? steps(range) : given;
        }
        return Arrays.asList(parts);
    }

    /** Two numbers are in the same step of the scale exactly if this is equal for both. */
    private Object steps(final NumberRange range) {
        final double low = stepOf(range.low());
        final double high = stepOf(range.high());
        return low == high ? (Object) low : List.of(low, high);
    }

    private double stepOf(final double number) {
        if (step == 0 || number == 0 || Double.isInfinite(number)) {
            return number;
        }
        // Powers of the ratio begin a step in spite of rounding; the offset keeps steps below 1 from changing the sign.
        final double steps = Math.floor(Math.log(Math.abs(number)) / step + 1e-9);
        return Math.copySign(OFFSET + steps, number);
    }
}
