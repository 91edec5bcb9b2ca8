package io.millrace.classifier.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.plan.Classifier;
import io.millrace.classifier.file.ModelFile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageCountersTest {

    @Test
    void each_stage_counts_the_jobs_with_several_candidates_and_what_it_removed() {
        final Classifier classifier = new Classifier(ModelFile.parse("model", """
            characteristics:
              cores: {type: number, weight: 2}
              minutes: {type: number}
            classes:
              narrow: {mandatory: {cores: {max: 4}}}
              short: {mandatory: {minutes: {max: 5}}}
              any: {mandatory: {minutes: {}}, optional: {cores: {min: 3}}}
            """));
        final StageCounters work = new StageCounters();
        work.add(classifier.classify(
                classifier.given(Map.of("cores", NumberRange.exactly(2), "minutes", NumberRange.exactly(3)))));
        work.add(classifier.classify(classifier.given(Map.of("cores", NumberRange.exactly(2)))));
        work.add(classifier.classify(classifier.given(Map.of("cores", NumberRange.exactly(8)))));
        assertThat(work.counts())
                .as("narrow and short are equal until their weights are compared")
                .isEqualTo(Map.of(
                        "rho-entered", 1L,
                        "sigma-entered", 1L,
                        "omega-entered", 1L,
                        "omega-reduced", 1L,
                        "omega-removed", 1L));
        assertThat(StageCounters.kinds()).containsAll(work.counts().keySet()).hasSize(12);
    }
}
