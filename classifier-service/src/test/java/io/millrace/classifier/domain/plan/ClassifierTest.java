package io.millrace.classifier.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.Similarity;
import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.model.StageRule;
import io.millrace.classifier.domain.view.JobHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassifierTest {

    private static final Characteristic VARIANTS = number("variants", 1, 1);
    private static final Characteristic CORES = number("cores", 3, 2);
    private static final Characteristic MINUTES = number("minutes", 2, 1);
    private static final Characteristic MODE =
            new Characteristic("mode", Kind.ENUM, OneOf.of("batch", "interactive"), 1, 1);

    private static final Domain ONE = NumberRange.exactly(1);
    private static final Domain MORE = NumberRange.atLeast(2);
    private static final Domain SMALL = NumberRange.between(1, 5);
    private static final Domain MEDIUM = NumberRange.between(5, 60);
    private static final Domain LARGE = NumberRange.moreThan(60);

    /** Table 2 of the paper. */
    private static final ClassModel PAPER = ClassModel.of(
            List.of(VARIANTS, CORES, MINUTES),
            List.of(
                    univariant("sequential small", ONE, SMALL),
                    univariant("sequential medium", ONE, MEDIUM),
                    univariant("sequential large", ONE, LARGE),
                    univariant("parallel small", MORE, SMALL),
                    univariant("parallel medium", MORE, MEDIUM),
                    univariant("parallel large", MORE, LARGE)));

    private static Characteristic number(final String name, final int rank, final double weight) {
        return new Characteristic(name, Kind.NUMBER, NumberRange.ANY, rank, weight);
    }

    private static JobClass univariant(final String name, final Domain cores, final Domain minutes) {
        return new JobClass(name, Map.of("variants", ONE, "cores", cores, "minutes", minutes), Map.of());
    }

    private static JobClass mandatory(final String name, final String characteristic, final Domain domain) {
        return new JobClass(name, Map.of(characteristic, domain), Map.of());
    }

    private static Classification classify(final ClassModel model, final Map<String, Domain> job) {
        final Classifier classifier = new Classifier(model);
        return classifier.classify(classifier.given(job));
    }

    private static Map<String, Domain> job(final double variants, final double cores, final double minutes) {
        return Map.of(
                "variants", NumberRange.exactly(variants),
                "cores", NumberRange.exactly(cores),
                "minutes", NumberRange.exactly(minutes));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, sequential small",
        "1, 5, sequential small; sequential medium",
        "1, 5.01, sequential medium",
        "1, 60, sequential medium",
        "1, 60.01, sequential large",
        "2, 2, parallel small",
        "64, 30, parallel medium",
        "1024, Infinity, parallel large",
        "4, 0.5, ''"
    })
    void table_2_of_the_paper(final double cores, final double minutes, final String classes) {
        assertThat(String.join("; ", classify(PAPER, job(1, cores, minutes)).classes()))
                .isEqualTo(classes);
    }

    @Test
    void every_stage_value_of_equal_classes_is_reported() {
        final Classification both = classify(PAPER, job(1, 1, 5));
        // k_j/n_j of the six classes: 3/3, 3/3, 2/3 and, with one core, 2/3, 2/3, 1/3.
        final double rho = 1 / (1 + 1 + 2 / 3.0 + 2 / 3.0 + 2 / 3.0 + 1 / 3.0);
        // Ranks 3 > 2 > 1, each once, and k = 3 characteristics: 3 + 2 + 1 + 3 (2 + 1).
        assertThat(both.values())
                .isEqualTo(Map.of(
                        Stage.RHO, Map.of("sequential small", rho, "sequential medium", rho),
                        Stage.SIGMA, Map.of("sequential small", 15.0, "sequential medium", 15.0),
                        Stage.OMEGA, Map.of("sequential small", 4.0, "sequential medium", 4.0),
                        Stage.PSI, Map.of("sequential small", 1 / 6.0, "sequential medium", 1 / 6.0)));
        assertThat(both.remaining()).containsExactly(2, 2, 2, 2);
    }

    @Test
    void a_required_range_must_be_inside_as_a_whole() {
        final Map<String, Domain> job = new LinkedHashMap<>(job(1, 4, 3));
        job.put("minutes", NumberRange.between(3, 4));
        assertThat(classify(PAPER, job).classes()).containsExactly("parallel small");
        job.put("minutes", NumberRange.between(4, 6));
        assertThat(classify(PAPER, job).classes()).isEmpty();
        job.put("minutes", new NumberRange(60, true, 90, false));
        assertThat(classify(PAPER, job).classes()).containsExactly("parallel large");
        job.put("minutes", NumberRange.between(60, 90));
        assertThat(classify(PAPER, job).classes()).isEmpty();
    }

    @Test
    void an_unclassified_job_comes_with_its_closest_miss() {
        final ClosestMiss miss = classify(PAPER, job(1, 4, 0.5)).closest().orElseThrow();
        assertThat(miss).hasToString("parallel small: minutes=0.5 is not inside [1,5]");
        assertThat(classify(PAPER, Map.of("cores", ONE)).closest().orElseThrow())
                .hasToString("sequential small: variants is not given, minutes is not given");
        assertThat(classify(PAPER, job(1, 4, 3)).closest()).isEmpty();
    }

    @Test
    void an_optional_characteristic_may_be_omitted_but_excludes_the_class_if_it_does_not_fit() {
        final ClassModel model = ClassModel.of(
                List.of(CORES, MODE),
                List.of(new JobClass("small", Map.of("cores", ONE), Map.of("mode", OneOf.of("batch")))));
        assertThat(classify(model, Map.of("cores", ONE)).classes()).containsExactly("small");
        assertThat(classify(model, Map.of("cores", ONE, "mode", OneOf.of("batch")))
                        .classes())
                .containsExactly("small");
        assertThat(classify(model, Map.of("cores", ONE, "mode", OneOf.of("interactive")))
                        .closest()
                        .orElseThrow())
                .hasToString("small: mode=interactive is not inside batch");
    }

    @Test
    void rho_prefers_the_class_of_which_a_larger_share_is_satisfied() {
        final ClassModel model = ClassModel.of(
                List.of(CORES, MODE),
                List.of(
                        new JobClass("detailed", Map.of("cores", ONE), Map.of("mode", OneOf.of("batch"))),
                        mandatory("plain", "cores", ONE)));
        final Classification found = classify(model, Map.of("cores", ONE));
        assertThat(found.candidates()).containsExactly("detailed", "plain");
        assertThat(found.classes()).containsExactly("plain");
        assertThat(found.values().get(Stage.RHO)).isEqualTo(Map.of("detailed", 0.5 / 1.5, "plain", 1 / 1.5));
        assertThat(found.remaining()).containsExactly(1, 1, 1, 1);
    }

    @Test
    void sigma_prefers_one_characteristic_of_the_best_rank_to_many_of_lower_ranks() {
        final ClassModel model = new ClassModel(
                List.of(CORES, MINUTES, VARIANTS),
                List.of(
                        mandatory("by cores", "cores", ONE),
                        new JobClass("by the others", Map.of("minutes", ONE, "variants", ONE), Map.of())),
                List.of(new StageRule(Stage.SIGMA, 0)),
                Similarity.DEFAULT);
        final Classification found = classify(model, job(1, 1, 1));
        assertThat(found.classes()).containsExactly("by cores");
        // 3 + 3 (2 + 1) against 2 + 1 + 3 * 1
        assertThat(found.values().get(Stage.SIGMA)).isEqualTo(Map.of("by cores", 12.0, "by the others", 6.0));
    }

    @Test
    void classes_within_delta_of_the_best_remain_and_are_ranked() {
        final List<JobClass> classes = List.of(mandatory("light", "minutes", ONE), mandatory("heavy", "cores", ONE));
        final List<Characteristic> both = List.of(CORES, MINUTES);
        final var exact = new ClassModel(both, classes, List.of(new StageRule(Stage.OMEGA, 0)), Similarity.DEFAULT);
        final var within1 = new ClassModel(both, classes, List.of(new StageRule(Stage.OMEGA, 1)), Similarity.DEFAULT);
        final Map<String, Domain> job = Map.of("cores", ONE, "minutes", ONE);
        assertThat(classify(exact, job).classes()).containsExactly("heavy");
        assertThat(classify(within1, job).classes()).containsExactly("heavy", "light");
        assertThat(classify(within1, job).candidates()).containsExactly("light", "heavy");
    }

    @Test
    void psi_prefers_the_class_that_similar_jobs_had() {
        final Classifier classifier = new Classifier(PAPER);
        final JobHistory history = new JobHistory(PAPER);
        history.executed(classifier.given(job(1, 1, 5)), List.of("sequential small"));
        history.executed(classifier.given(job(1, 1, 6)), List.of("sequential medium"));
        history.executed(classifier.given(job(1, 1, 7)), List.of("sequential medium", "a class of an older model"));
        history.executed(classifier.given(job(1, 1, 8)), List.of("sequential small"));
        history.executed(classifier.given(job(1, 8, 5)), List.of("sequential small"));
        final Classification found = classifier.classify(classifier.given(job(1, 1, 5)), history);
        assertThat(found.classes()).containsExactly("sequential medium");
        assertThat(found.values().get(Stage.PSI))
                .isEqualTo(Map.of("sequential small", 1 / 3.0, "sequential medium", 2 / 3.0));
    }

    @Test
    void similar_jobs_agree_only_in_the_characteristics_that_the_model_names() {
        final ClassModel model = new ClassModel(
                PAPER.characteristics(), PAPER.classes(), StageRule.DEFAULT, new Similarity(List.of("cores"), 1));
        final Classifier classifier = new Classifier(model);
        final JobHistory history = new JobHistory(model);
        history.executed(classifier.given(job(1, 3, 500)), List.of("parallel large"));
        history.executed(classifier.given(Map.of("minutes", ONE)), List.of("sequential small"));
        assertThat(history.count(classifier.given(job(2, 3, 1)))).containsExactly(0, 0, 0, 0, 0, 1);
        assertThat(history.count(classifier.given(job(2, 2, 1)))).isEmpty();
        assertThat(history.count(classifier.given(Map.of("variants", ONE)))).containsExactly(1, 0, 0, 0, 0, 0);
    }

    @Test
    void a_job_that_does_not_fit_the_model_is_rejected_with_its_characteristic() {
        final Classifier classifier =
                new Classifier(ClassModel.of(List.of(CORES, MODE), List.of(mandatory("small", "cores", ONE))));
        assertThatThrownBy(() -> classifier.given(Map.of()))
                .hasMessage("the job gives no characteristic: give at least one");
        assertThatThrownBy(() -> classifier.given(Map.of("core", ONE)))
                .hasMessage("'core' is not a characteristic of the model");
        assertThatThrownBy(() -> classifier.given(Map.of("cores", OneOf.TRUE)))
                .hasMessage("cores: 'true' is not of type number");
        assertThatThrownBy(() -> classifier.given(Map.of("cores", NumberRange.between(4, 3))))
                .hasMessage("cores: '[4,3]' is empty: no value satisfies it");
        assertThatThrownBy(() -> classifier.given(Map.of("mode", OneOf.of("nightly"))))
                .hasMessage("mode: 'nightly' is not inside {batch, interactive}");
    }
}
