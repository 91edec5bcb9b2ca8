package io.millrace.lab.planners.bench;

import io.millrace.classifier.domain.classification.Classifier;
import io.millrace.classifier.domain.classification.GivenDomains;
import io.millrace.classifier.domain.classification.JobHistory;
import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import io.millrace.classifier.domain.model.Similarity;
import io.millrace.classifier.domain.model.StageRule;
import io.millrace.classifier.domain.model.TextPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A model of 30 characteristics (14 numbers, 8 enumerations, 4 booleans, 2 sets, 2 texts) and 50 classes with 5 mandatory and 5 optional
 * characteristics each, and jobs that give all characteristics. A job satisfies each domain with a probability of about 0.8, so it is a
 * candidate of about five classes.
 */
final class ClassifyFixture {

    static final int CHARACTERISTICS = 30;
    static final int CLASSES = 50;
    /** A power of two. */
    static final int JOBS = 1 << 12;

    static final int EXECUTED = 100_000;

    private static final List<Kind> KINDS = kinds();
    private static final List<String> NAMES =
            IntStream.range(0, 10).mapToObj(n -> "name-" + n).toList();

    private final SplittableRandom random = new SplittableRandom(1);
    private final Classifier classifier;
    private final List<Map<String, Domain>> requests = new ArrayList<>();
    private final GivenDomains[] jobs = new GivenDomains[JOBS];
    private final JobHistory history;

    ClassifyFixture() {
        final List<Characteristic> characteristics = IntStream.range(0, CHARACTERISTICS)
                .mapToObj(i -> new Characteristic("h" + i, KINDS.get(i), all(KINDS.get(i)), 1 + i % 4, 1 + i % 7))
                .toList();
        final List<JobClass> classes = IntStream.range(0, CLASSES)
                .mapToObj(j -> jobClass("c" + j, characteristics))
                .toList();
        final ClassModel model = new ClassModel(
                characteristics, classes, StageRule.DEFAULT, new Similarity(List.of("h0", "h1", "h14", "h28"), 2));
        classifier = new Classifier(model);
        for (int n = 0; n < JOBS; n++) {
            requests.add(request(characteristics));
            jobs[n] = classifier.given(requests.get(n));
        }
        history = new JobHistory(model);
        for (int n = 0; n < EXECUTED; n++) {
            final GivenDomains job = jobs[n % JOBS];
            history.executed(job, List.of("c" + random.nextInt(CLASSES)));
        }
    }

    Classifier classifier() {
        return classifier;
    }

    Map<String, Domain> request(final int n) {
        return requests.get(n & JOBS - 1);
    }

    GivenDomains job(final int n) {
        return jobs[n & JOBS - 1];
    }

    JobHistory history() {
        return history;
    }

    private static List<Kind> kinds() {
        final List<Kind> kinds = new ArrayList<>();
        final Map<Kind, Integer> counts = new LinkedHashMap<>();
        counts.put(Kind.NUMBER, 14);
        counts.put(Kind.ENUM, 8);
        counts.put(Kind.BOOLEAN, 4);
        counts.put(Kind.SET, 2);
        counts.put(Kind.TEXT, 2);
        counts.forEach((kind, count) -> IntStream.range(0, count).forEach(n -> kinds.add(kind)));
        return kinds;
    }

    private static Domain all(final Kind kind) {
        return switch (kind) {
            case NUMBER -> NumberRange.between(0, 1);
            case ENUM -> new OneOf(Set.copyOf(NAMES));
            case BOOLEAN -> OneOf.BOTH;
            case SET -> SetDomain.ANY;
            case TEXT -> TextPattern.ANY;
        };
    }

    private JobClass jobClass(final String name, final List<Characteristic> characteristics) {
        final List<Characteristic> left = new ArrayList<>(characteristics);
        final Map<String, Domain> mandatory = new LinkedHashMap<>();
        final Map<String, Domain> optional = new LinkedHashMap<>();
        for (int n = 0; n < 10; n++) {
            final Characteristic used = left.remove(random.nextInt(left.size()));
            (n < 5 ? mandatory : optional).put(used.name(), allowed(used.kind()));
        }
        return new JobClass(name, mandatory, optional);
    }

    private Domain allowed(final Kind kind) {
        final int start = random.nextInt(3);
        return switch (kind) {
            case NUMBER -> {
                final double low = random.nextDouble() * 0.2;
                yield NumberRange.between(low, low + 0.8);
            }
            case ENUM, TEXT -> new OneOf(Set.copyOf(NAMES.subList(start, start + 8)));
            case BOOLEAN -> random.nextInt(5) < 3 ? OneOf.BOTH : random.nextBoolean() ? OneOf.TRUE : OneOf.FALSE;
            case SET -> new SetDomain(null, Set.of(), Set.copyOf(NAMES.subList(start, start + 5)));
        };
    }

    private Map<String, Domain> request(final List<Characteristic> characteristics) {
        final Map<String, Domain> given = new HashMap<>();
        characteristics.forEach(one -> given.put(one.name(), value(one.kind())));
        return given;
    }

    private Domain value(final Kind kind) {
        return switch (kind) {
            case NUMBER -> NumberRange.exactly(random.nextDouble());
            case ENUM, TEXT -> OneOf.of(name());
            case BOOLEAN -> random.nextBoolean() ? OneOf.TRUE : OneOf.FALSE;
            case SET -> SetDomain.exactly(Set.copyOf(List.of(name(), name(), name())));
        };
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }
}
