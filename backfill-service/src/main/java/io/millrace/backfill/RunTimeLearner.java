package io.millrace.backfill;

import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.JobAttributes;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Learns from ended runs what run times to foresee. A run that was cut and went on counts as one. */
final class RunTimeLearner {

    /** Ends and classes come on topics of their own, in no common order: so many classes of jobs that left are kept for their ends. */
    private static final int CLASSES_KEPT = 20_000;

    private final RunTimeHistory runTimes = new RunTimeHistory();
    private final Map<JobKey, Long> saved_s = new HashMap<>();
    private final Map<JobKey, String> classes = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<JobKey, String> eldest) {
            return size() > CLASSES_KEPT;
        }
    };

    RunTimeHistory runTimes() {
        return runTimes;
    }

    void classified(final JobKey job, final String jobClass) {
        classes.put(job, jobClass);
    }

    /** Takes a cut of a former life of this service; those of this life were counted when they were decided. */
    void cutBefore(final RunEnded end) {
        if (end.outcome() instanceof RunOutcome.Checkpointed) {
            runTimes.preempted();
        }
    }

    void ended(final RunEnded end) {
        final long ran_s = end.startedAt() == null
                ? 0
                : Math.max(0, Duration.between(end.startedAt(), end.endedAt()).toSeconds());
        final long lost_s = end.lostCoreSeconds() / Math.max(1, end.resources().cores());
        if (!end.outcome().endsTheJob()) {
            saved_s.merge(end.job(), Math.max(0, ran_s - lost_s), Long::sum);
            return;
        }
        final Long before_s = saved_s.remove(end.job());
        if (end.startedAt() == null || end.walltime() == null) {
            return;
        }
        final JobAttributes traits = JobAttributes.of(end.owner().value(), classes.getOrDefault(end.job(), ""), false);
        runTimes.ended(
                traits,
                ran_s + (before_s == null ? 0 : before_s),
                end.walltime().toSeconds());
    }
}
