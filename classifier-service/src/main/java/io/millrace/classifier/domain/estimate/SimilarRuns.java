package io.millrace.classifier.domain.estimate;

import io.millrace.model.policy.RunTimeEstimate;
import io.millrace.model.policy.RunTimeQuantile;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Quantiles of the last runs of similar jobs. The most specific group with a run counts: jobs of the user with the same program, cores
 * and walltime; with the same program and class; of the user; of the class. Few recent runs predict better than many old ones, because
 * users repeat a job with small changes and then turn to another one.
 */
public final class SimilarRuns implements RunTimeEstimator {

    private static final int KEPT_GROUPS = 200_000;
    /** Published beside the expected run time, in percent. */
    private static final int[] PUBLISHED = {50, 80, 95};

    private record Level(String basis, Function<JobProfile, JobProfile> group) {}

    private static final List<Level> LEVELS = List.of(
            new Level("user, program, cores, walltime", JobProfile::request),
            new Level("user, program, class", JobProfile::userAndProgram),
            new Level("user", JobProfile::onlyUser),
            new Level("class", JobProfile::onlyClass));

    /** The runs that a job is compared with. */
    private record Compared(int level, RecentRuns runs) {}

    private final ObservedQuantile expected;
    private final ObservedQuantile[] published = Arrays.stream(PUBLISHED)
            .mapToObj(percent -> new ObservedQuantile(percent / 100.0, LEVELS.size()))
            .toArray(ObservedQuantile[]::new);
    private final RunGroups groups = new RunGroups(ObservedQuantile.MOST_RUNS, KEPT_GROUPS);
    private final LastTwoRuns baseline = new LastTwoRuns(groups);

    /** @param quantile that is the expected run time; above 0, at most 1 */
    public SimilarRuns(final double quantile) {
        expected = new ObservedQuantile(quantile, LEVELS.size());
    }

    @Override
    public void ended(final JobProfile job, final long run_s) {
        compared(job).ifPresent(by -> {
            observe(expected, by, job, run_s);
            for (final ObservedQuantile one : published) {
                observe(one, by, job, run_s);
            }
        });
        for (final Level level : LEVELS) {
            groups.add(level.group().apply(job), run_s);
        }
    }

    private static void observe(
            final ObservedQuantile quantile, final Compared by, final JobProfile job, final long run_s) {
        final long expected_s = quantile.expected_s(by.runs);
        if (!isLimited(job, expected_s)) {
            quantile.ended(by.level, by.runs, run_s <= expected_s);
        }
    }

    @Override
    public Optional<RunTimeEstimate> estimate(final JobProfile job) {
        return compared(job)
                .map(by -> new RunTimeEstimate(
                        duration(expected, by, job),
                        confidencePercent(expected, by, job),
                        expected.runs(by.runs),
                        LEVELS.get(by.level).basis(),
                        quantiles(by, job),
                        baseline.estimate(job).map(RunTimeEstimate::expected).orElse(null)));
    }

    private List<RunTimeQuantile> quantiles(final Compared by, final JobProfile job) {
        return IntStream.range(0, PUBLISHED.length)
                .mapToObj(q -> new RunTimeQuantile(
                        PUBLISHED[q], duration(published[q], by, job), confidencePercent(published[q], by, job)))
                .toList();
    }

    private static Duration duration(final ObservedQuantile quantile, final Compared by, final JobProfile job) {
        final long expected_s = quantile.expected_s(by.runs);
        return Duration.ofSeconds(isLimited(job, expected_s) ? job.requested_s() : expected_s);
    }

    private static int confidencePercent(final ObservedQuantile quantile, final Compared by, final JobProfile job) {
        return isLimited(job, quantile.expected_s(by.runs)) ? 100 : quantile.confidencePercent(by.level, by.runs);
    }

    private Optional<Compared> compared(final JobProfile job) {
        for (int level = 0; level < LEVELS.size(); level++) {
            final RecentRuns runs = groups.of(LEVELS.get(level).group().apply(job));
            if (runs != null) {
                return Optional.of(new Compared(level, runs));
            }
        }
        return Optional.empty();
    }

    /** Whether the walltime ends the job before the estimate does. */
    private static boolean isLimited(final JobProfile job, final long expected_s) {
        return job.requested_s() > 0 && expected_s >= job.requested_s();
    }
}
