package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.plan.ClosestMiss.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Classifies jobs by a model. Immutable; any number of threads may use it.
 *
 * <p>Primary classification (chi) excludes a class if the job omits one of its mandatory characteristics, or if it gives a characteristic
 * whose domain is not inside that of the class. The stages of the model then keep, one after the other, the classes whose value is
 * within delta of the largest.
 */
public final class Classifier {

    private final ClassModel model;
    private final Characteristic[] characteristics;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Requirements[] classes;
    private final StageFunctions functions;

    public Classifier(final ClassModel model) {
        this.model = model;
        characteristics = model.characteristics().toArray(Characteristic[]::new);
        for (int i = 0; i < characteristics.length; i++) {
            indexes.put(characteristics[i].name(), i);
        }
        classes = model.classes().stream()
                .map(one -> Requirements.of(one, model.characteristics()))
                .toArray(Requirements[]::new);
        functions = new StageFunctions(model, classes);
    }

    public ClassModel model() {
        return model;
    }

    /**
     * The domains that a job requires, in the form that {@link #classify} takes.
     *
     * @throws IllegalArgumentException if none is given, or one is unknown, empty or outside the domain of its characteristic
     */
    public GivenDomains given(final Map<String, Domain> required) {
        if (required.isEmpty()) {
            throw new IllegalArgumentException("the job gives no characteristic: give at least one");
        }
        final @Nullable Domain[] given = new Domain[characteristics.length];
        required.forEach((name, domain) -> {
            final Integer i = indexes.get(name);
            if (i == null) {
                throw new IllegalArgumentException("'" + name + "' is not a characteristic of the model");
            }
            characteristics[i].check(domain);
            given[i] = domain;
        });
        return new GivenDomains(given);
    }

    public Classification classify(final GivenDomains job) {
        return classify(job, SimilarJobs.NONE);
    }

    /** @param job made by {@link #given} of a classifier with the same model */
    public Classification classify(final GivenDomains job, final SimilarJobs history) {
        final int[] satisfied = new int[classes.length];
        final int[] failed = new int[classes.length];
        int fits = 0;
        for (int j = 0; j < classes.length; j++) {
            compare(j, job, satisfied, failed);
            fits += failed[j] == 0 ? 1 : 0;
        }
        if (fits == 0) {
            return Classification.unclassified(model, closest(job, satisfied, failed));
        }
        final int[] candidates = new int[fits];
        int next = 0;
        for (int j = 0; j < classes.length; j++) {
            if (failed[j] == 0) {
                candidates[next++] = j;
            }
        }
        return functions.reduce(job, candidates, satisfied, history);
    }

    /** Counts the characteristics of a class that a job satisfies (k_j), and those that exclude the job; chi is 1 if there are none of these. */
    private void compare(final int j, final GivenDomains job, final int[] satisfied, final int[] failed) {
        final Requirements of = classes[j];
        for (int u = 0; u < of.used().length; u++) {
            if (of.isSatisfied(u, job)) {
                satisfied[j]++;
            } else if (of.isRequired(u, job)) {
                failed[j]++;
            }
        }
    }

    private ClosestMiss closest(final GivenDomains job, final int[] satisfied, final int[] failed) {
        int best = 0;
        for (int j = 1; j < classes.length; j++) {
            if (failed[j] < failed[best]
                    || failed[j] == failed[best] && functions.share(j, satisfied) > functions.share(best, satisfied)) {
                best = j;
            }
        }
        return new ClosestMiss(model.classes().get(best).name(), failures(job, classes[best]));
    }

    private List<Failure> failures(final GivenDomains job, final Requirements missed) {
        final List<Failure> failures = new ArrayList<>();
        for (int u = 0; u < missed.used().length; u++) {
            if (!missed.isSatisfied(u, job) && missed.isRequired(u, job)) {
                final int i = missed.used()[u];
                failures.add(new Failure(characteristics[i].name(), job.get(i), missed.allowed()[u]));
            }
        }
        return failures;
    }
}
