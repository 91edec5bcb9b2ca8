package io.millrace.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.millrace.simulator.swf.SwfJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadTest {

    @Test
    void the_model_of_lublin_and_feitelson_has_the_published_shares() {
        final List<SwfJob> jobs = new LublinFeitelson(256, 20_000, 20, new Range(1, 1)).jobs(1);

        assertThat(jobs).isSortedAccordingTo((one, other) -> Long.compare(one.submit_s(), other.submit_s()));
        assertThat(jobs).allMatch(job -> job.cores() >= 1 && job.cores() <= 256 && job.run_s() >= 1);
        final double serial =
                share(jobs.stream().filter(job -> job.cores() == 1).count());
        final double powers = share(
                jobs.stream().filter(job -> Integer.bitCount(job.cores()) == 1).count());
        // A quarter is serial; three quarters are powers of two, serial jobs included, plus some random ones.
        assertThat(serial).isBetween(0.23, 0.27);
        assertThat(powers).isBetween(0.79, 0.92);
        final double shortOnes =
                share(jobs.stream().filter(job -> job.run_s() < 1000).count());
        assertThat(shortOnes).as("two kinds of run times").isBetween(0.5, 0.8);
    }

    private static double share(final long count) {
        return count / 20_000.0;
    }

    @Test
    void some_hours_are_busy_and_some_are_quiet() {
        final long[] byHour = new long[24];
        new LublinFeitelson(64, 20_000, 1, new Range(1, 1))
                .jobs(3)
                .forEach(job -> byHour[(int) ((job.submit_s() + 11 * 1800) / 3600 % 24)]++);
        assertThat(byHour[7] * 10).isLessThan(byHour[19]);
    }

    @Test
    void uniform_jobs_are_within_their_ranges() {
        final List<SwfJob> jobs = new UniformJobs(
                        5000, 7, new Range(2, 5), new Range(10, 19), new Arrivals.Poisson(30), new Range(1, 3))
                .jobs(1);
        assertThat(jobs).allMatch(job -> job.cores() >= 2 && job.cores() <= 5);
        assertThat(jobs).allMatch(job -> job.run_s() >= 10 && job.run_s() <= 19);
        assertThat(jobs).allMatch(job -> job.requested_s() >= job.run_s() && job.requested_s() <= 3 * job.run_s() + 1);
        assertThat(jobs).extracting(SwfJob::cores).contains(2, 3, 4, 5);
        assertThat(jobs).extracting(SwfJob::user).contains(1L, 7L).doesNotContain(0L, 8L);
        assertThat(jobs.getLast().submit_s() / 5000.0).isCloseTo(30, within(2.0));
    }

    @Test
    void arrivals_are_regular_together_or_random_within_a_period() {
        final RandomDistributions chance = new RandomDistributions(1);
        assertThat(Arrivals.parse("every:5").times_s(3, chance)).containsExactly(0, 5, 10);
        assertThat(Arrivals.parse("together").times_s(3, chance)).containsExactly(0, 0, 0);
        final long[] within = Arrivals.parse("within:100").times_s(1000, chance);
        assertThat(within).isSorted();
        assertThat(within[0]).isLessThan(5);
        assertThat(within[999]).isBetween(95L, 99L);
        assertThatIllegalArgumentException().isThrownBy(() -> Arrivals.parse("often"));
    }

    @Test
    void gamma_has_its_mean_and_variance() {
        final RandomDistributions chance = new RandomDistributions(5);
        for (final double shape : new double[] {0.5, 4.2}) {
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < 100_000; i++) {
                final double x = chance.gamma(shape, 2);
                sum += x;
                squares += x * x;
            }
            final double mean = sum / 100_000;
            assertThat(mean).isCloseTo(2 * shape, within(0.05 * 2 * shape));
            assertThat(squares / 100_000 - mean * mean).isCloseTo(4 * shape, within(0.1 * 4 * shape));
        }
    }
}
