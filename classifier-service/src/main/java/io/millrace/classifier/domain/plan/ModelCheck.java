package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.plan.ModelWarning.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds empty domains, overlapping classes and unreachable classes of a model. */
public final class ModelCheck {

    private final ClassModel model;
    private final ReachableClasses reachable;

    private ModelCheck(final ClassModel model) {
        this.model = model;
        this.reachable = new ReachableClasses(model);
    }

    /** @return in the order of the classes; none for most models */
    public static List<ModelWarning> warnings(final ClassModel model) {
        final ModelCheck check = new ModelCheck(model);
        final List<ModelWarning> warnings = new ArrayList<>();
        for (final JobClass one : model.classes()) {
            final List<String> empty = check.emptyDomains(one);
            empty.forEach(message -> warnings.add(new ModelWarning(Kind.EMPTY_DOMAIN, one.name(), message)));
            check.overlaps(one).ifPresent(warnings::add);
            check.reachable
                    .obstacle(one)
                    .ifPresent(message -> warnings.add(new ModelWarning(Kind.UNREACHABLE, one.name(), message)));
        }
        return warnings;
    }

    private List<String> emptyDomains(final JobClass one) {
        final List<String> empty = new ArrayList<>();
        for (final Characteristic characteristic : model.characteristics()) {
            final Domain domain = one.domain(characteristic.name());
            if (domain != null && (domain.isEmpty() || !domain.intersects(characteristic.domain()))) {
                empty.add("allows no value of " + characteristic.name() + ": " + domain
                        + (domain.isEmpty()
                                ? " is empty"
                                : " is outside the domain of the characteristic, " + characteristic.domain()));
            }
        }
        return empty;
    }

    /** One warning with all classes that follow in the model, because overlaps are intended where stages decide. */
    private Optional<ModelWarning> overlaps(final JobClass one) {
        final List<String> others =
                model
                        .classes()
                        .subList(
                                model.classes().indexOf(one) + 1,
                                model.classes().size())
                        .stream()
                        .filter(other -> overlap(one, other))
                        .map(other -> "'" + other.name() + "'")
                        .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(new ModelWarning(
                        Kind.OVERLAP,
                        one.name(),
                        "overlaps with " + String.join(", ", others) + ": a job can fit both"));
    }

    /** A job that omits a characteristic which is optional for both need not satisfy either. */
    private static boolean overlap(final JobClass one, final JobClass other) {
        return compatible(one.mandatory(), other) && compatible(other.mandatory(), one);
    }

    private static boolean compatible(final Map<String, Domain> mandatory, final JobClass other) {
        return mandatory.entrySet().stream().allMatch(entry -> {
            final Domain domain = other.domain(entry.getKey());
            return !entry.getValue().isEmpty()
                    && (domain == null || entry.getValue().intersects(domain));
        });
    }
}
