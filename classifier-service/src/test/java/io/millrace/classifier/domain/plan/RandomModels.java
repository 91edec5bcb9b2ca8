package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import io.millrace.classifier.domain.model.Similarity;
import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.model.StageRule;
import io.millrace.classifier.domain.model.TextPattern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Models and jobs of all kinds of domains. Few distinct values, so that classes overlap and bounds coincide often. */
final class RandomModels {

    private static final List<String> WORDS = List.of("alpha", "beta", "gamma", "delta", "eta");

    private final Random random;

    RandomModels(final Random random) {
        this.random = random;
    }

    ClassModel model(final int mostCharacteristics, final int mostClasses) {
        final List<Characteristic> characteristics = new ArrayList<>();
        final int k = 1 + random.nextInt(mostCharacteristics);
        for (int i = 0; i < k; i++) {
            final Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            characteristics.add(new Characteristic(
                    "h" + i, kind, everything(kind), 1 + random.nextInt(4), 0.1 * (1 + random.nextInt(20))));
        }
        final List<JobClass> classes = new ArrayList<>();
        final int m = 1 + random.nextInt(mostClasses);
        for (int j = 0; j < m; j++) {
            classes.add(jobClass("c" + j, characteristics));
        }
        final List<Stage> order = new ArrayList<>(Arrays.asList(Stage.values()));
        Collections.shuffle(order, random);
        final List<StageRule> stages = order.subList(0, random.nextInt(5)).stream()
                .map(stage -> new StageRule(stage, random.nextInt(3) * (stage == Stage.SIGMA ? 1.0 : 0.05)))
                .toList();
        return new ClassModel(characteristics, classes, stages, Similarity.DEFAULT);
    }

    private static Domain everything(final Kind kind) {
        return switch (kind) {
            case NUMBER -> NumberRange.ANY;
            case ENUM -> new OneOf(Set.copyOf(WORDS));
            case BOOLEAN -> OneOf.BOTH;
            case SET -> SetDomain.ANY;
            case TEXT -> TextPattern.ANY;
        };
    }

    private JobClass jobClass(final String name, final List<Characteristic> characteristics) {
        final Map<String, Domain> mandatory = new LinkedHashMap<>();
        final Map<String, Domain> optional = new LinkedHashMap<>();
        final Characteristic first = characteristics.get(random.nextInt(characteristics.size()));
        mandatory.put(first.name(), wide(first.kind()));
        for (final Characteristic other : characteristics) {
            final int use = random.nextInt(4);
            if (other != first && use < 2) {
                (use == 0 ? mandatory : optional).put(other.name(), wide(other.kind()));
            }
        }
        return new JobClass(name, mandatory, optional);
    }

    /** Mostly large domains, so that jobs satisfy several classes; some are empty. */
    private Domain wide(final Kind kind) {
        return switch (kind) {
            case NUMBER ->
                new NumberRange(
                        random.nextInt(3) == 0 ? Double.NEGATIVE_INFINITY : random.nextInt(4),
                        random.nextBoolean(),
                        random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : 2 + random.nextInt(4),
                        random.nextBoolean());
            case ENUM -> new OneOf(words(4));
            case BOOLEAN -> random.nextInt(3) == 0 ? OneOf.TRUE : OneOf.BOTH;
            case SET -> sets();
            case TEXT ->
                random.nextBoolean() ? new OneOf(words(4)) : TextPattern.of(random.nextBoolean() ? ".*a" : "[a-e].*");
        };
    }

    private SetDomain sets() {
        return new SetDomain(random.nextBoolean() ? null : words(4), words(1), words(2));
    }

    /** Characteristics that a job gives; at least one. */
    Map<String, Domain> job(final ClassModel model) {
        final Map<String, Domain> given = new LinkedHashMap<>();
        for (final Characteristic one : model.characteristics()) {
            if (random.nextInt(4) > 0) {
                final Domain required = random.nextInt(4) > 0 ? value(one.kind()) : wide(one.kind());
                if (!required.isEmpty()) {
                    given.put(one.name(), required);
                }
            }
        }
        if (given.isEmpty()) {
            final Characteristic one = model.characteristics().getFirst();
            given.put(one.name(), value(one.kind()));
        }
        return given;
    }

    private Domain value(final Kind kind) {
        return switch (kind) {
            case NUMBER -> NumberRange.exactly(random.nextInt(12) / 2.0);
            case ENUM, TEXT -> OneOf.of(WORDS.get(random.nextInt(WORDS.size())));
            case BOOLEAN -> random.nextBoolean() ? OneOf.TRUE : OneOf.FALSE;
            case SET -> SetDomain.exactly(words(3));
        };
    }

    private Set<String> words(final int most) {
        final Set<String> some = new HashSet<>();
        final int count = random.nextInt(most + 1);
        for (int n = 0; n < count; n++) {
            some.add(WORDS.get(random.nextInt(WORDS.size())));
        }
        return some;
    }
}
