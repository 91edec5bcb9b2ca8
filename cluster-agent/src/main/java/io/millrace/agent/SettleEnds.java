package io.millrace.agent;

import io.millrace.agent.domain.RunFact;
import io.millrace.agent.domain.Settlement;
import io.millrace.agent.wlm.Accounting;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Run;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out how runs ended, by one question to accounting for all of them. */
final class SettleEnds {

    private static final Logger LOG = LoggerFactory.getLogger(SettleEnds.class);

    private final WorkloadManager wlm;
    private final Duration deadline;
    private final Map<JobKey, Settlement.Saved> saved = new ConcurrentHashMap<>();

    SettleEnds(final WorkloadManager wlm, final Duration deadline) {
        this.wlm = wlm;
        this.deadline = deadline;
    }

    /** A checkpoint was taken: what this run did before {@code at} is not lost. */
    void saved(final JobKey job, final int run, final CheckpointTaken taken) {
        saved.put(job, new Settlement.Saved(run, taken));
    }

    /** The run goes on after all: the saved state says nothing about how it will end. */
    void notSaved(final JobKey job) {
        saved.remove(job);
    }

    Settlement settle(final Collection<JobObserved> said, final Collection<JobObserved> now, final Instant at) {
        final List<JobKey> asked = Settlement.toAskAbout(said, now);
        return Settlement.of(said, now, facts(asked), saved, at, deadline);
    }

    /** What a settlement told stands on the log now. */
    void said(final Settlement settlement) {
        settlement.ends().stream().map(RunEnded::job).forEach(saved::remove);
    }

    List<RunFact> facts(final Collection<JobKey> jobs) {
        if (jobs.isEmpty() || !(wlm instanceof Accounting accounting)) {
            return List.of();
        }
        return switch (accounting.ended(jobs)) {
            case Answer.Ok<List<Run>> ok ->
                ok.value().stream().map(SettleEnds::fact).toList();
            case Answer.Trouble<List<Run>> trouble -> {
                LOG.warn("accounting does not answer: {}; {} jobs stay unsettled", trouble.because(), jobs.size());
                yield List.of();
            }
        };
    }

    private static RunFact fact(final Run run) {
        return new RunFact(run.job(), run.run(), run.started(), run.ended(), run.outcome(), run.source());
    }
}
