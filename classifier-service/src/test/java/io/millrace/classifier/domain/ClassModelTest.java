package io.millrace.classifier.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.GlobalJobId;
import io.millrace.model.JobRef;
import io.millrace.model.policy.Classified;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassModelTest {

    private static final JobRef JOB = GlobalJobId.of("01J00000000000000000000001");

    private static JobClass paper(final String name, final AllowedValues cores, final AllowedValues walltime) {
        return new JobClass(
                name,
                Map.of(
                        Characteristic.VARIANTS, AllowedValues.Range.exactly(new Value.Count(1)),
                        Characteristic.CORES, cores,
                        Characteristic.WALLTIME, walltime),
                Map.of());
    }

    private static AllowedValues minutes(final int from, final int to) {
        return new AllowedValues.Range(
                new Value.Length(Duration.ofMinutes(from)), true, new Value.Length(Duration.ofMinutes(to)), true);
    }

    private static final AllowedValues ONE = AllowedValues.Range.exactly(new Value.Count(1));
    private static final AllowedValues MORE = new AllowedValues.Range(new Value.Count(2), true, null, false);
    private static final AllowedValues LONG =
            new AllowedValues.Range(new Value.Length(Duration.ofMinutes(60)), false, null, false);

    private static final ClassModel PAPER = new ClassModel(List.of(
            paper("sequential small", ONE, minutes(1, 5)),
            paper("sequential medium", ONE, minutes(5, 60)),
            paper("sequential large", ONE, LONG),
            paper("parallel small", MORE, minutes(1, 5)),
            paper("parallel medium", MORE, minutes(5, 60)),
            paper("parallel large", MORE, LONG)));

    private static Map<Characteristic, Value> job(final int cores, final Value walltime) {
        return Map.of(
                Characteristic.VARIANTS, new Value.Count(1),
                Characteristic.CORES, new Value.Count(cores),
                Characteristic.WALLTIME, walltime);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 60, sequential small",
        "1, 300, sequential small; sequential medium",
        "1, 301, sequential medium",
        "1, 3600, sequential medium",
        "1, 3601, sequential large",
        "2, 120, parallel small",
        "64, 1800, parallel medium",
        "1024, 864000, parallel large",
        "4, 59, ''"
    })
    void table_2_of_the_paper(final int cores, final int seconds, final String classes) {
        final Classified classified = PAPER.classify(JOB, job(cores, new Value.Length(Duration.ofSeconds(seconds))));
        assertThat(String.join("; ", classified.classes())).isEqualTo(classes);
    }

    @Test
    void a_job_without_a_walltime_exceeds_every_bound() {
        assertThat(PAPER.classify(JOB, job(8, new Value.Unlimited())).classes()).containsExactly("parallel large");
    }

    @Test
    void the_evidence_shows_the_figures_compared() {
        final Classified classified = PAPER.classify(JOB, job(4, new Value.Length(Duration.ofMinutes(30))));
        assertThat(classified.evidence())
                .containsExactly(
                        "parallel medium: variants=1 in [1,1], cores=4 in [2,), walltime=PT30M in [PT5M,PT1H]");
    }

    @Test
    void a_job_without_a_class_lists_why_each_class_failed() {
        final Classified classified = PAPER.classify(JOB, job(4, new Value.Length(Duration.ofSeconds(30))));
        assertThat(classified.classes()).isEmpty();
        assertThat(classified.evidence())
                .hasSize(6)
                .contains(
                        "sequential small: cores=4 not in [1,1]", "parallel small: walltime=PT30S not in [PT1M,PT5M]");
    }

    @Test
    void a_basic_characteristic_must_be_stated_an_additional_one_only_met_where_it_is() {
        final JobClass gpu = new JobClass(
                "gpu",
                Map.of(Characteristic.GPUS, new AllowedValues.Range(new Value.Count(1), true, null, false)),
                Map.of(Characteristic.PARTITION, new AllowedValues.OneOf(Set.of("gpu"))));
        final ClassModel model = new ClassModel(List.of(gpu));
        final Map<Characteristic, Value> job = new EnumMap<>(Characteristic.class);
        job.put(Characteristic.CORES, new Value.Count(1));
        assertThat(model.classify(JOB, job).evidence()).containsExactly("gpu: gpus is not stated");
        job.put(Characteristic.GPUS, new Value.Count(2));
        assertThat(model.classify(JOB, job).classes()).containsExactly("gpu");
        job.put(Characteristic.PARTITION, new Value.Name("main"));
        assertThat(model.classify(JOB, job).evidence()).containsExactly("gpu: partition=main not in {gpu}");
    }

    @ParameterizedTest
    @CsvSource({
        "'123', 1",
        "'123_7', 1",
        "'123[7].server', 1",
        "'123_[0-9]', 10",
        "'123_[1-10:3%2]', 4",
        "'123[1-3,7,9-10]', 6",
        "'123[].server', -1"
    })
    void the_variants_of_an_array_are_counted_from_its_id(final String id, final long variants) {
        assertThat(ArraySize.of(id).orElse(-1)).isEqualTo(variants);
    }
}
