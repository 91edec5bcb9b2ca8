package io.millrace.classifier.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactClassificationTest {

    private static final int JOBS = 25;

    /** How often each outcome occurred, so that the comparison cannot become trivial. */
    private int unclassified;

    private int single;
    private int several;
    private int reduced;

    @ParameterizedTest
    @CsvSource({"3, 3, 400", "8, 8, 400", "6, 150, 40", "70, 8, 40"})
    void the_classifier_agrees_with_the_formulas_on_random_models_and_jobs(
            final int characteristics, final int classes, final int seeds) {
        for (int seed = 0; seed < seeds; seed++) {
            final Random random = new Random(seed);
            final RandomModels models = new RandomModels(random);
            final ClassModel model = models.model(characteristics, classes);
            for (int n = 0; n < JOBS; n++) {
                compare("seed " + seed + ", job " + n, model, models.job(model), gamma(random, model));
            }
        }
        assertThat(List.of(unclassified, single, several, reduced)).allMatch(count -> count > 5);
    }

    private static long[] gamma(final Random random, final ClassModel model) {
        final boolean none = random.nextInt(4) == 0;
        return model.classes().stream()
                .mapToLong(c -> none ? 0 : random.nextInt(5))
                .toArray();
    }

    private void compare(final String what, final ClassModel model, final Map<String, Domain> job, final long[] gamma) {
        final Classifier classifier = new Classifier(model);
        final Classification found = classifier.classify(classifier.given(job), any -> gamma);
        final PaperFormulas formulas = new PaperFormulas(model);
        final Domain[] x = model.characteristics().stream()
                .map(Characteristic::name)
                .map(job::get)
                .toArray(Domain[]::new);
        assertThat(found.candidates()).as(what).isEqualTo(names(model, formulas.primary(x)));
        assertThat(found.classes())
                .as(what)
                .containsExactlyInAnyOrderElementsOf(names(model, formulas.classify(x, gamma)));
        final Map<Stage, double[]> values = formulas.values(x, gamma);
        found.values()
                .forEach((stage, byClass) -> byClass.forEach((name, value) -> assertThat(value)
                        .as("%s, %s of %s", what, stage, name)
                        .isCloseTo(values.get(stage)[index(model, name)], within(1e-12))));
        assertRanked(what, found);
        assertThat(found.closest().isPresent())
                .as(what)
                .isEqualTo(found.candidates().isEmpty());
        found.closest().ifPresent(miss -> assertClosest(what, model, job, miss));
        unclassified += found.isUnclassified() ? 1 : 0;
        single += found.classes().size() == 1 ? 1 : 0;
        several += found.classes().size() > 1 ? 1 : 0;
        reduced += found.classes().size() < found.candidates().size() ? 1 : 0;
    }

    private static void assertClosest(
            final String what, final ClassModel model, final Map<String, Domain> job, final ClosestMiss miss) {
        final JobClass named = model.classes().get(index(model, miss.jobClass()));
        final long failed = failed(named, job);
        assertThat(miss.failures()).as(what).hasSize((int) failed);
        for (final JobClass other : model.classes()) {
            assertThat(failed).as(what).isLessThanOrEqualTo(failed(other, job));
            if (failed(other, job) == failed) {
                assertThat(share(named, job)).as(what).isGreaterThanOrEqualTo(share(other, job));
            }
        }
    }

    private static long failed(final JobClass one, final Map<String, Domain> job) {
        return one.mandatory().keySet().stream()
                        .filter(name -> !isInside(one, name, job))
                        .count()
                + one.optional().keySet().stream()
                        .filter(name -> job.containsKey(name) && !isInside(one, name, job))
                        .count();
    }

    private static double share(final JobClass one, final Map<String, Domain> job) {
        final List<String> used = Stream.concat(one.mandatory().keySet().stream(), one.optional().keySet().stream())
                .toList();
        return (double) used.stream().filter(name -> isInside(one, name, job)).count() / used.size();
    }

    private static boolean isInside(final JobClass one, final String name, final Map<String, Domain> job) {
        return job.containsKey(name) && Objects.requireNonNull(one.domain(name)).includes(job.get(name));
    }

    private static void assertRanked(final String what, final Classification found) {
        final List<double[]> rows = found.classes().stream()
                .map(name -> found.values().values().stream()
                        .mapToDouble(byClass -> Math.rint(byClass.get(name) * 1e9))
                        .toArray())
                .toList();
        final List<double[]> sorted = new ArrayList<>(rows);
        sorted.sort((one, other) -> Arrays.compare(other, one));
        assertThat(rows).as(what).usingElementComparator(Arrays::compare).isEqualTo(sorted);
    }

    private static List<String> names(final ClassModel model, final boolean[] y) {
        final List<String> names = new ArrayList<>();
        for (int j = 0; j < y.length; j++) {
            if (y[j]) {
                names.add(model.classes().get(j).name());
            }
        }
        return names;
    }

    private static int index(final ClassModel model, final String name) {
        return model.classes().stream().map(JobClass::name).toList().indexOf(name);
    }
}
