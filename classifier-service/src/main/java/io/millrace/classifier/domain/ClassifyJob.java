package io.millrace.classifier.domain;

import io.millrace.classifier.domain.extraction.GivenCharacteristics;
import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.plan.Classification;
import io.millrace.classifier.domain.plan.Classifier;
import io.millrace.classifier.domain.plan.GivenDomains;
import io.millrace.classifier.domain.view.JobHistory;
import io.millrace.model.JobRef;
import io.millrace.model.policy.Classified;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Classifies a job of which facts are known, and records the evidence. Executed jobs are the history that stage psi counts. */
public final class ClassifyJob {

    private final Classifier classifier;
    private final Map<String, JobClass> classes;
    private final JobHistory history;
    private final long version;
    private final StageCounters work;

    /**
     * @param version of the model
     * @param work counts what the stages do
     */
    public ClassifyJob(final ClassModel model, final long version, final StageCounters work) {
        this.work = work;
        this.version = version;
        classifier = new Classifier(model);
        history = new JobHistory(model);
        classes = model.classes().stream().collect(Collectors.toMap(JobClass::name, one -> one));
    }

    /** @return its evidence shows the characteristics compared and the values of each stage, or the closest miss */
    public Classified classify(final JobRef job, final JobFacts facts) {
        final GivenCharacteristics found = GivenCharacteristics.of(classifier.model(), facts);
        if (found.given().isEmpty()) {
            final List<String> evidence = new ArrayList<>(found.ignored());
            evidence.addFirst("the job gives no characteristic of the model");
            return new Classified(job, List.of(), evidence, null, version);
        }
        final Classification classification = classifier.classify(classifier.given(found.given()), history);
        work.add(classification);
        final List<String> evidence = evidence(classification, found);
        evidence.addAll(found.ignored());
        return new Classified(job, classification.classes(), evidence, null, version);
    }

    /**
     * Adds an executed job to the history.
     *
     * @return its classes, without regard to the history
     */
    public List<String> executed(final JobFacts facts) {
        final Map<String, Domain> found =
                GivenCharacteristics.of(classifier.model(), facts).given();
        if (found.isEmpty()) {
            return List.of();
        }
        final GivenDomains given = classifier.given(found);
        final List<String> names = classifier.classify(given).classes();
        history.executed(given, names);
        return names;
    }

    /** The classes of a job, without regard to the history. */
    public List<String> classes(final JobFacts facts) {
        final Map<String, Domain> found =
                GivenCharacteristics.of(classifier.model(), facts).given();
        return found.isEmpty()
                ? List.of()
                : classifier.classify(classifier.given(found)).classes();
    }

    private List<String> evidence(final Classification classification, final GivenCharacteristics found) {
        final List<String> evidence = new ArrayList<>();
        classification.closest().ifPresent(miss -> evidence.add("unclassified; closest class is " + miss));
        classification
                .classes()
                .forEach(
                        name -> evidence.add(name + ": " + compared(Objects.requireNonNull(classes.get(name)), found)));
        classification
                .values()
                .forEach((stage, values) -> evidence.add("stage " + stage.label() + ": "
                        + values.entrySet().stream()
                                .map(value -> value.getKey() + "=" + figure(value.getValue()))
                                .collect(Collectors.joining(", "))));
        return evidence;
    }

    private String compared(final JobClass one, final GivenCharacteristics found) {
        return found.given().entrySet().stream()
                .filter(given -> one.domain(given.getKey()) != null)
                .map(given -> given.getKey() + "=" + given.getValue() + " in " + one.domain(given.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static String figure(final double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.4f", value);
    }
}
