package io.millrace.classifier.domain.classification;

import io.millrace.classifier.domain.classification.ClosestMiss.Failure;
import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
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
    private final DomainIndex[] domains;
    /** For each characteristic, the classes that do not use it. */
    private final long[][] others;
    /** For each characteristic, the classes for which it is not mandatory. */
    private final long[][] indifferent;

    private final long[] allClasses;
    private final StageFunctions functions;

    public Classifier(final ClassModel model) {
        this.model = model;
        final int classes = model.classes().size();
        characteristics = model.characteristics().toArray(Characteristic[]::new);
        domains = new DomainIndex[characteristics.length];
        others = new long[characteristics.length][];
        indifferent = new long[characteristics.length][];
        for (int i = 0; i < characteristics.length; i++) {
            index(i, characteristics[i], classes);
        }
        allClasses = ClassMask.all(classes);
        functions = new StageFunctions(model);
    }

    private void index(final int i, final Characteristic characteristic, final int classes) {
        indexes.put(characteristic.name(), i);
        final long[] users = ClassMask.empty(classes);
        final long[] mandatory = ClassMask.empty(classes);
        final Map<Integer, Domain> byClass = new HashMap<>();
        for (int j = 0; j < classes; j++) {
            final JobClass user = model.classes().get(j);
            final Domain domain = user.domain(characteristic.name());
            if (domain != null) {
                byClass.put(j, domain);
                ClassMask.add(users, j);
            }
            if (user.mandatory().containsKey(characteristic.name())) {
                ClassMask.add(mandatory, j);
            }
        }
        others[i] = ClassMask.complement(users);
        indifferent[i] = ClassMask.complement(mandatory);
        domains[i] = DomainIndex.of(characteristic.kind(), byClass, classes);
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
        final ClassTally satisfied = new ClassTally(model.classes().size(), characteristics.length);
        final int[] candidates = ClassMask.toArray(primary(job, satisfied));
        return candidates.length == 0
                ? Classification.unclassified(model, closest(job, satisfied))
                : functions.reduce(job, candidates, satisfied, history);
    }

    /** The classes for which chi is 1. Also counts k_j for every class. */
    private long[] primary(final GivenDomains job, final ClassTally satisfied) {
        final long[] candidates = allClasses.clone();
        final long[] inside = new long[candidates.length];
        for (int i = 0; i < characteristics.length; i++) {
            final Domain required = job.get(i);
            if (required == null) {
                ClassMask.intersect(candidates, indifferent[i]);
                continue;
            }
            domains[i].find(required, inside);
            satisfied.add(inside);
            for (int w = 0; w < inside.length; w++) {
                candidates[w] &= inside[w] | others[i][w];
            }
        }
        return candidates;
    }

    private ClosestMiss closest(final GivenDomains job, final ClassTally satisfied) {
        int best = 0;
        int fewest = Integer.MAX_VALUE;
        for (int j = 0; j < model.classes().size(); j++) {
            final int failed = functions.failed(j, job, satisfied);
            if (failed < fewest
                    || failed == fewest && functions.share(j, satisfied) > functions.share(best, satisfied)) {
                best = j;
                fewest = failed;
            }
        }
        return new ClosestMiss(model.classes().get(best).name(), failures(job, best));
    }

    private List<Failure> failures(final GivenDomains job, final int jobClass) {
        final List<Failure> failures = new ArrayList<>();
        final JobClass missed = model.classes().get(jobClass);
        for (int i = 0; i < characteristics.length; i++) {
            final String name = characteristics[i].name();
            final Domain allowed = missed.domain(name);
            final Domain required = job.get(i);
            if (allowed != null
                    && (required == null ? missed.mandatory().containsKey(name) : !allowed.includes(required))) {
                failures.add(new Failure(name, required, allowed));
            }
        }
        return failures;
    }
}
