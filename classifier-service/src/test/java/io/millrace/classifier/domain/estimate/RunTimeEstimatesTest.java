package io.millrace.classifier.domain.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.millrace.model.policy.RunTimeEstimate;
import io.millrace.model.policy.RunTimeQuantile;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The quantile of similar runs, and the baseline. */
class RunTimeEstimatesTest {

    private static JobProfile job(final String user, final String program, final int cores) {
        return new JobProfile(user, program, cores, 3600, "small");
    }

    private static RunTimeEstimate estimate(final RunTimeEstimator estimator, final JobProfile job) {
        return estimator.estimate(job).orElseThrow();
    }

    @Test
    void without_a_comparable_run_there_is_no_estimate() {
        final RunTimeEstimator estimator = new SimilarRuns(0.5);
        assertThat(estimator.estimate(job("anna", "solver", 4))).isEmpty();
        estimator.ended(job("anna", "solver", 4), 100);
        assertThat(estimator.estimate(new JobProfile("ben", "other", 1, 0, "large")))
                .isEmpty();
    }

    @Test
    void the_most_specific_group_with_a_run_counts() {
        final RunTimeEstimator estimator = new SimilarRuns(0.5);
        estimator.ended(new JobProfile("clara", "x", 1, 60, "small"), 10);
        assertThat(estimate(estimator, job("anna", "solver", 4)).basis()).isEqualTo("class");
        estimator.ended(new JobProfile("anna", "other", 1, 60, "large"), 20);
        assertThat(estimate(estimator, job("anna", "solver", 4)).basis()).isEqualTo("user");
        estimator.ended(job("anna", "solver", 8), 30);
        assertThat(estimate(estimator, job("anna", "solver", 4)).basis()).isEqualTo("user, program, class");
        estimator.ended(job("anna", "solver", 4), 40);
        final RunTimeEstimate estimate = estimate(estimator, job("anna", "solver", 4));
        assertThat(estimate.basis()).isEqualTo("user, program, cores, walltime");
        assertThat(estimate.expected()).isEqualTo(Duration.ofSeconds(40));
        assertThat(estimate.runs()).isEqualTo(1);
    }

    @Test
    void only_the_last_eight_runs_count() {
        final RunTimeEstimator estimator = new SimilarRuns(0.85);
        estimator.ended(job("anna", "solver", 4), 3000);
        for (int i = 1; i <= 8; i++) {
            estimator.ended(job("anna", "solver", 4), i * 10);
        }
        final RunTimeEstimate estimate = estimate(estimator, job("anna", "solver", 4));
        assertThat(estimate.expected()).isEqualTo(Duration.ofSeconds(80));
        assertThat(estimate.runs()).isEqualTo(8);
    }

    @Test
    void an_estimate_is_at_most_the_walltime_and_then_certain() {
        final RunTimeEstimator estimator = new SimilarRuns(0.5);
        estimator.ended(job("anna", "solver", 4), 4000);
        final RunTimeEstimate estimate = estimate(estimator, job("anna", "solver", 4));
        assertThat(estimate.expected()).isEqualTo(Duration.ofHours(1));
        assertThat(estimate.confidencePercent()).isEqualTo(100);
    }

    @Test
    void without_experience_the_confidence_is_that_of_the_rank() {
        final RunTimeEstimator estimator = new SimilarRuns(0.5);
        estimator.ended(job("anna", "solver", 4), 100);
        assertThat(estimate(estimator, job("anna", "solver", 4)).confidencePercent())
                .isEqualTo(50);
    }

    @Test
    void a_job_without_a_walltime_has_an_estimate() {
        final RunTimeEstimator estimator = new SimilarRuns(0.5);
        estimator.ended(new JobProfile("anna", "", 1, 0, ""), 5000);
        assertThat(estimate(estimator, new JobProfile("anna", "", 1, 0, "")).expected())
                .isEqualTo(Duration.ofSeconds(5000));
    }

    @Test
    void the_confidence_falls_where_jobs_become_longer_and_longer() {
        final RunTimeEstimator estimator = new SimilarRuns(0.9);
        for (int i = 1; i <= 500; i++) {
            estimator.ended(new JobProfile("anna", "x", 1, 0, ""), i);
        }
        assertThat(estimate(estimator, new JobProfile("anna", "x", 1, 0, "")).confidencePercent())
                .isLessThan(5);
    }

    @Test
    void the_confidence_is_the_share_of_jobs_that_end_in_time() {
        final Random random = new Random(7);
        for (final double quantile : new double[] {0.3, 0.65, 0.9}) {
            final RunTimeEstimator estimator = new SimilarRuns(quantile);
            double promised = 0;
            int kept = 0;
            final int jobs = 20_000;
            for (int i = 0; i <= jobs; i++) {
                final long run_s = 1 + (long) (random.nextDouble() * 1_000_000);
                final JobProfile job = new JobProfile("anna", "x", 1, 0, "");
                if (i > 0) {
                    final RunTimeEstimate estimate = estimate(estimator, job);
                    promised += estimate.confidencePercent() / 100.0;
                    kept += run_s <= estimate.expected().toSeconds() ? 1 : 0;
                }
                estimator.ended(job, run_s);
            }
            assertThat((double) kept / jobs).as("quantile " + quantile).isEqualTo(promised / jobs, within(0.02));
        }
    }

    @Test
    void the_baseline_is_the_mean_of_the_last_two_similar_jobs_else_of_the_user() {
        final RunTimeEstimator baseline = new LastTwoRuns();
        baseline.ended(job("anna", "solver", 4), 1000);
        baseline.ended(job("anna", "solver", 4), 100);
        baseline.ended(job("anna", "solver", 4), 200);
        baseline.ended(job("anna", "other", 1), 50);
        assertThat(estimate(baseline, job("anna", "solver", 4)).expected()).isEqualTo(Duration.ofSeconds(150));
        assertThat(estimate(baseline, job("anna", "third", 2)).expected()).isEqualTo(Duration.ofSeconds(125));
        assertThat(baseline.estimate(job("ben", "solver", 4))).isEmpty();
    }

    @Test
    void the_number_of_groups_is_bounded() {
        final RunGroups groups = new RunGroups(2, 100);
        for (int i = 0; i < 1000; i++) {
            groups.add(job("user" + i, "x", 1), i + 1);
            groups.add(job("user0", "x", 1), 5);
        }
        assertThat(groups.of(job("user500", "x", 1))).isNull();
        assertThat(groups.of(job("user0", "x", 1))).isNotNull();
        assertThat(groups.of(job("user999", "x", 1))).isNotNull();
    }

    @Test
    void an_estimate_has_several_quantiles_and_the_baseline() {
        final RunTimeEstimator estimator = new SimilarRuns(0.65);
        for (int i = 1; i <= 30; i++) {
            estimator.ended(new JobProfile("anna", "x", 1, 0, ""), i % 2 == 0 ? i * 10 : 1000 - i);
        }
        final RunTimeEstimate estimate = estimate(estimator, new JobProfile("anna", "x", 1, 0, ""));
        // The last eight: 971, 973, 975, 977, 300, 280, 260, 240; the longest of the last 19 is 987.
        assertThat(estimate.quantiles()).extracting(RunTimeQuantile::percent).containsExactly(50, 80, 95);
        assertThat(estimate.quantile(50)).isEqualTo(Duration.ofSeconds(971));
        assertThat(estimate.quantile(80)).isEqualTo(Duration.ofSeconds(977));
        assertThat(estimate.quantile(95)).isEqualTo(Duration.ofSeconds(987));
        assertThat(estimate.recent2()).isEqualTo(Duration.ofSeconds((300 + 971 + 1) / 2));
        assertThat(estimate.runs()).isEqualTo(8);
    }

    @Test
    void a_job_of_a_new_user_has_no_baseline() {
        final RunTimeEstimator estimator = new SimilarRuns(0.65);
        estimator.ended(job("anna", "solver", 4), 100);
        final RunTimeEstimate estimate = estimate(estimator, job("ben", "solver", 4));
        assertThat(estimate.basis()).isEqualTo("class");
        assertThat(estimate.recent2()).isNull();
    }

    @Test
    void each_quantile_has_its_own_observed_confidence() {
        final Random random = new Random(8);
        final RunTimeEstimator estimator = new SimilarRuns(0.65);
        final JobProfile job = new JobProfile("anna", "x", 1, 0, "");
        final Map<Integer, Double> promised = new TreeMap<>();
        final Map<Integer, Integer> kept = new TreeMap<>();
        final int jobs = 20_000;
        for (int i = 0; i <= jobs; i++) {
            final long run_s = 1 + (long) (random.nextDouble() * 1_000_000);
            estimator
                    .estimate(job)
                    .ifPresent(estimate -> Objects.requireNonNull(estimate.quantiles())
                            .forEach(one -> {
                                promised.merge(one.percent(), one.confidencePercent() / 100.0, Double::sum);
                                kept.merge(
                                        one.percent(), run_s <= one.expected().toSeconds() ? 1 : 0, Integer::sum);
                            }));
            estimator.ended(job, run_s);
        }
        promised.forEach((percent, sum) -> assertThat((double) kept.get(percent) / jobs)
                .as("quantile " + percent)
                .isEqualTo(sum / jobs, within(0.02)));
        assertThat((double) kept.get(95) / jobs).isEqualTo(0.95, within(0.01));
        assertThat((double) kept.get(50) / jobs).isEqualTo(5 / 9.0, within(0.02));
    }

    @Test
    void a_quantile_outside_its_range_is_refused() {
        for (final double quantile : new double[] {0, -1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> new SimilarRuns(quantile)).hasMessageContaining("quantile must be above 0");
        }
    }
}
