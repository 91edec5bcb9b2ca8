package io.millrace.classifier.domain.view;

import io.millrace.classifier.domain.ClassifyJob;
import io.millrace.classifier.domain.estimate.JobEstimates;
import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Learns from ended runs: the history of stage psi, and the estimates of run times. */
public final class RunHistory {

    private final ClassifyJob classifier;
    private final JobEstimates estimates;
    private final Predicate<RunEnded> counts;
    /** Imported jobs whose ends the log may have, too. */
    private final Set<JobKey> imported = new HashSet<>();

    /** @param counts whether the job of a run counts for stage psi */
    public RunHistory(final ClassifyJob classifier, final JobEstimates estimates, final Predicate<RunEnded> counts) {
        this.classifier = classifier;
        this.estimates = estimates;
        this.counts = counts;
    }

    /** Learns from a run of an imported history. @param inLog later ends may be on the log */
    public void imported(final RunEnded end, final Instant inLog) {
        if (!end.endedAt().isBefore(inLog)) {
            imported.add(end.job());
        }
        learn(end);
    }

    /** Learns from a run on the log. @return false if its job is known from an imported history */
    public boolean ended(final RunEnded end) {
        if (imported.contains(end.job())) {
            return false;
        }
        learn(end);
        return true;
    }

    private void learn(final RunEnded end) {
        final boolean ran = end.outcome().endsTheJob() && end.startedAt() != null;
        estimates.ended(end, ran ? classes(end) : List.of());
    }

    private List<String> classes(final RunEnded end) {
        final JobFacts facts = JobFacts.of(end);
        return counts.test(end) ? classifier.executed(facts) : classifier.classes(facts);
    }
}
