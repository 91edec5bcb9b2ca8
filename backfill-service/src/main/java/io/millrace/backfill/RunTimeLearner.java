package io.millrace.backfill;

import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fills the run time history from ended runs. A job that was preempted and resumed counts as one run. */
final class RunTimeLearner {

    /** Ends and classes arrive on different topics in no common order, so classes are kept for this many jobs. */
    private static final int MAX_CLASSES = 20_000;

    private final RunTimeHistory runTimes = new RunTimeHistory();
    private final Map<JobKey, Long> saved_s = new HashMap<>();
    private final Map<JobKey, String> classes = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<JobKey, String> eldest) {
            return size() > MAX_CLASSES;
        }
    };

    RunTimeHistory runTimes() {
        return runTimes;
    }

    void classified(final JobKey job, final String jobClass) {
        classes.put(job, jobClass);
    }

    /** Counts a preemption that an earlier process decided; this process counts its own when it decides them. */
    void preemptedEarlier(final RunEnded end) {
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
        final JobAttributes attributes =
                JobAttributes.of(end.owner().value(), classes.getOrDefault(end.job(), ""), false);
        runTimes.ended(
                attributes,
                ran_s + (before_s == null ? 0 : before_s),
                end.walltime().toSeconds());
    }
}
