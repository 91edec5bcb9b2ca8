package io.millrace.classifier.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ModelCheckTest {

    private static final Characteristic CORES = new Characteristic("cores", Kind.NUMBER, NumberRange.atLeast(1), 2, 1);
    private static final Characteristic MODE =
            new Characteristic("mode", Kind.ENUM, OneOf.of("batch", "interactive"), 1, 1);

    private static JobClass cores(final String name, final double min, final double max) {
        return new JobClass(name, Map.of("cores", NumberRange.between(min, max)), Map.of());
    }

    private static List<String> warnings(final JobClass... classes) {
        return ModelCheck.warnings(ClassModel.of(List.of(CORES, MODE), List.of(classes))).stream()
                .map(ModelWarning::toString)
                .toList();
    }

    @Test
    void disjoint_classes_cause_no_warning() {
        assertThat(warnings(cores("small", 1, 1), cores("large", 2, 1024))).isEmpty();
    }

    @Test
    void an_empty_domain_makes_its_class_unreachable() {
        assertThat(warnings(cores("none", 3, 2)))
                .containsExactly(
                        "class 'none' allows no value of cores: [3,2] is empty",
                        "class 'none' is unreachable: no value of cores satisfies it");
        assertThat(warnings(cores("none", -3, 0)))
                .containsExactly(
                        "class 'none' allows no value of cores: [-3,0] is outside the domain of the characteristic,"
                                + " [1,unlimited]",
                        "class 'none' is unreachable: no value of cores satisfies it");
    }

    @Test
    void classes_that_a_job_can_both_fit_overlap() {
        assertThat(warnings(
                        cores("small", 1, 8), cores("medium", 8, 64), cores("large", 64, 1024), cores("other", 2, 4)))
                .contains("class 'small' overlaps with 'medium', 'other': a job can fit both")
                .contains("class 'medium' overlaps with 'large': a job can fit both");
    }

    @Test
    void an_optional_characteristic_separates_classes_only_if_the_other_one_requires_it() {
        final Domain batch = OneOf.of("batch");
        final Domain interactive = OneOf.of("interactive");
        final Map<String, Domain> any = Map.of("cores", NumberRange.ANY);
        final JobClass optional = new JobClass("optional", any, Map.of("mode", batch));
        final JobClass another = new JobClass("another", any, Map.of("mode", interactive));
        final JobClass required =
                new JobClass("required", Map.of("cores", NumberRange.ANY, "mode", interactive), Map.of());
        assertThat(warnings(optional, another))
                .containsExactly("class 'optional' overlaps with 'another': a job can fit both");
        assertThat(warnings(optional, required)).isEmpty();
    }

    @Test
    void a_class_to_which_another_one_is_always_preferred_is_probably_unreachable() {
        final JobClass batch = new JobClass("by mode", Map.of("mode", OneOf.of("batch")), Map.of());
        final JobClass nothing =
                new JobClass("shadowed", Map.of("mode", OneOf.of("batch")), Map.of("cores", NumberRange.between(3, 2)));
        assertThat(warnings(batch, nothing))
                .containsExactly(
                        "class 'by mode' overlaps with 'shadowed': a job can fit both",
                        "class 'shadowed' allows no value of cores: [3,2] is empty",
                        "class 'shadowed' is probably unreachable: 3000 tried jobs fit it, but other classes were"
                                + " preferred to it, most often 'by mode'");
    }

    @Test
    void random_models_are_checked_and_classes_that_random_jobs_reach_are_never_called_unreachable() {
        for (int seed = 0; seed < 60; seed++) {
            final RandomModels models = new RandomModels(new Random(seed));
            final ClassModel model = models.model(4, 6);
            final List<String> unreachable = ModelCheck.warnings(model).stream()
                    .filter(warning -> warning.kind() == ModelWarning.Kind.UNREACHABLE)
                    .map(ModelWarning::jobClass)
                    .toList();
            final Classifier classifier = new Classifier(model);
            for (int n = 0; n < 200; n++) {
                assertThat(classifier
                                .classify(classifier.given(models.job(model)))
                                .classes())
                        .as("seed %d", seed)
                        .noneMatch(unreachable::contains);
            }
        }
    }
}
