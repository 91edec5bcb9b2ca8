package io.millrace.classifier.domain.estimate;

import io.millrace.model.policy.RunTimeEstimate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A quantile of the last runs of similar jobs. The most specific group with a run counts: jobs of the user with the same program, cores
 * and walltime; with the same program and class; of the user; of the class. Few recent runs predict better than many old ones, because
 * users repeat a job with small changes and then turn to another one.
 */
public final class SimilarRuns implements RunTimeEstimator {

    private static final int KEPT_RUNS = 8;
    private static final int KEPT_GROUPS = 200_000;

    private record Level(String basis, Function<JobProfile, JobProfile> group) {}

    private static final List<Level> LEVELS = List.of(
            new Level("user, program, cores, walltime", JobProfile::request),
            new Level("user, program, class", JobProfile::userAndProgram),
            new Level("user", JobProfile::onlyUser),
            new Level("class", JobProfile::onlyClass));

    /** Until this many ends were observed, the theoretical confidence has more weight than the observed one. */
    private static final double PRIOR = 20;

    /** An estimate, and the place where its success is counted. */
    private record Candidate(int level, RecentRuns runs, int rank, long expected_s) {}

    private final double quantile;
    private final RunGroups groups = new RunGroups(KEPT_RUNS, KEPT_GROUPS);
    /** By level and number of runs: how many jobs had such an estimate when they ended, and how many ended within it. */
    private final long[][] ended = new long[LEVELS.size()][KEPT_RUNS + 1];

    private final long[][] inTime = new long[LEVELS.size()][KEPT_RUNS + 1];

    /** @param quantile above 0, at most 1; larger values overestimate more and underestimate less */
    public SimilarRuns(final double quantile) {
        if (!(quantile > 0 && quantile <= 1)) {
            throw new IllegalArgumentException("quantile must be above 0 and at most 1, got " + quantile);
        }
        this.quantile = quantile;
    }

    @Override
    public void ended(final JobProfile job, final long run_s) {
        candidate(job).filter(found -> !isLimited(job, found)).ifPresent(found -> {
            ended[found.level][found.runs.size()]++;
            inTime[found.level][found.runs.size()] += run_s <= found.expected_s ? 1 : 0;
        });
        for (final Level level : LEVELS) {
            groups.add(level.group().apply(job), run_s);
        }
    }

    @Override
    public Optional<RunTimeEstimate> estimate(final JobProfile job) {
        return candidate(job).map(found -> {
            final boolean limited = isLimited(job, found);
            return new RunTimeEstimate(
                    Duration.ofSeconds(limited ? job.requested_s() : found.expected_s),
                    limited ? 100 : confidence(found),
                    found.runs.size(),
                    LEVELS.get(found.level).basis());
        });
    }

    private Optional<Candidate> candidate(final JobProfile job) {
        for (int level = 0; level < LEVELS.size(); level++) {
            final RecentRuns runs = groups.of(LEVELS.get(level).group().apply(job));
            if (runs != null) {
                final int rank = Math.clamp((int) Math.ceil(quantile * (runs.size() + 1)), 1, runs.size());
                return Optional.of(new Candidate(level, runs, rank, runs.ranked_s(rank)));
            }
        }
        return Optional.empty();
    }

    /** Whether the walltime ends the job before the estimate does. */
    private static boolean isLimited(final JobProfile job, final Candidate found) {
        return job.requested_s() > 0 && found.expected_s >= job.requested_s();
    }

    /**
     * If a job and the n runs before it are alike, each is the longest with the same probability, so the k-th is not exceeded with k / (n + 1).
     * Users change what they run, so what was observed of such estimates replaces this by and by.
     */
    private int confidence(final Candidate found) {
        final int runs = found.runs.size();
        final double ideal = (double) found.rank / (runs + 1);
        final double share = (inTime[found.level][runs] + PRIOR * ideal) / (ended[found.level][runs] + PRIOR);
        return Math.clamp(Math.round(100 * share), 1, 100);
    }
}
