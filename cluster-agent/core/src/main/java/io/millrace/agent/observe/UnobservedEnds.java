package io.millrace.agent.observe;

import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the ends of jobs that came and went between two looks, or while the agent was away: nobody saw them in the queue, accounting
 * remembers them. Each is told once; the log itself is what tells in the next life which were.
 */
public final class UnobservedEnds {

    private static final Logger LOG = LoggerFactory.getLogger(UnobservedEnds.class);

    /** How late accounting may learn of an end. */
    static final Duration LATE = Duration.ofMinutes(15);

    private final WorkloadManager wlm;
    private final SiteTranslation site;
    private final Duration every;
    private final Map<JobKey, Instant> publishedEnds = new HashMap<>();
    private @Nullable Instant from;
    private Instant askedAt = Instant.MIN;
    private boolean possible = true;

    /** @param every time between two questions */
    public UnobservedEnds(final WorkloadManager wlm, final SiteTranslation site, final Duration every) {
        this.wlm = wlm;
        this.site = site;
        this.every = every;
    }

    /**
     * Takes up what stands on the log.
     *
     * @param lastLook when the cluster was looked at last; null if never: what ended before that is no affair of Millrace
     * @param ends the ends told since then, and a while before
     */
    void restore(final @Nullable Instant lastLook, final Map<JobKey, Instant> ends) {
        publishedEnds.putAll(ends);
        from = lastLook == null ? null : lastLook.minus(LATE);
        askedAt = Instant.MIN;
    }

    /**
     * The ends that nobody told yet.
     *
     * @param others jobs that are in the queue, or are being settled otherwise
     */
    List<RunEnded> find(final Instant now, final Predicate<JobKey> others) {
        if (!possible || !(wlm instanceof Accounting accounting) || now.isBefore(askedAt.plus(every))) {
            return List.of();
        }
        askedAt = now;
        final Instant since = from == null ? now : from;
        return switch (AdapterCall.of("accounting", () -> accounting.endedSince(since))) {
            case Answer.Trouble<List<EndedJob>> trouble -> {
                failed(trouble);
                yield List.of();
            }
            case Answer.Ok<List<EndedJob>> ended -> {
                from = from == null ? now : later(from, now.minus(LATE));
                yield ended.value().stream()
                        .filter(job -> !publishedEnds.containsKey(job.job()) && !others.test(job.job()))
                        .flatMap(job -> job.runs().stream().map(run -> end(job, run)))
                        .toList();
            }
        };
    }

    private void failed(final Answer.Trouble<List<EndedJob>> trouble) {
        if (trouble.kind() == Answer.Kind.REJECTED) {
            possible = false;
            LOG.info("ends that nobody saw are not told here: {}", trouble.because());
        } else {
            LOG.warn("accounting does not tell what ended: {}", trouble.because());
        }
    }

    /** These ends stand on the log now, whoever found them. */
    void published(final List<RunEnded> ends) {
        ends.forEach(end -> publishedEnds.put(end.job(), end.endedAt()));
        final Instant horizon = from;
        if (horizon != null) {
            publishedEnds.values().removeIf(ended -> ended.isBefore(horizon.minus(LATE)));
        }
    }

    private RunEnded end(final EndedJob job, final Run run) {
        final SiteNames names = site.names();
        return new RunEnded(
                job.job(),
                job.name(),
                job.attempt(),
                names.user(job.owner()),
                job.project() == null ? null : names.projectOf(job.project()),
                job.partition(),
                job.resources(),
                job.walltime(),
                run.run(),
                run.started(),
                run.ended(),
                run.outcome(),
                0,
                run.source());
    }

    private static Instant later(final Instant a, final Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
