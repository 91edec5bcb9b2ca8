package io.millrace.agent.observe;

import io.millrace.agent.domain.Run;
import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.site.SiteTranslation;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
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
 * Finds jobs that started and ended between two observations, or while the agent was down, in accounting. Each end is published once; after a
 * restart, the published ends are read from the topic of job ends.
 */
public final class UnobservedEnds {

    private static final Logger LOG = LoggerFactory.getLogger(UnobservedEnds.class);

    /** Maximum delay of accounting. */
    static final Duration LATE = Duration.ofMinutes(15);

    private final WorkloadManager wlm;
    private final SiteTranslation site;
    private final Duration every;
    private final Map<JobKey, Instant> publishedEnds = new HashMap<>();
    private @Nullable Instant from;
    private Instant queriedAt = Instant.MIN;
    private boolean possible = true;

    /** @param every time between two queries */
    public UnobservedEnds(final WorkloadManager wlm, final SiteTranslation site, final Duration every) {
        this.wlm = wlm;
        this.site = site;
        this.every = every;
    }

    /**
     * Takes over the state replayed from Kafka.
     *
     * @param lastObservedAt when the cluster was observed last; null: never, so that no earlier end is published
     * @param ends the ends published since then and shortly before
     */
    void restore(final @Nullable Instant lastObservedAt, final Map<JobKey, Instant> ends) {
        publishedEnds.putAll(ends);
        from = lastObservedAt == null ? null : lastObservedAt.minus(LATE);
        queriedAt = Instant.MIN;
    }

    /**
     * The ends that have not been published.
     *
     * @param others jobs that are in the queue or being settled
     */
    List<RunEnded> find(final Instant now, final Predicate<JobKey> others) {
        if (!possible
                || !(wlm.find(Accounting.class) instanceof Accounting accounting)
                || now.isBefore(queriedAt.plus(every))) {
            return List.of();
        }
        queriedAt = now;
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
            LOG.info("jobs that end between two observations are not published on this cluster: {}", trouble.reason());
        } else {
            LOG.warn("accounting does not answer the query for ended jobs: {}", trouble.reason());
        }
    }

    /** Called when these ends are in Kafka. */
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
                        site.isSubmitted(job.attempt(), job.job(), job.owner()) ? job.attempt() : null,
                        names.user(job.owner()),
                        site.chargedProject(job),
                        job.partition(),
                        job.resources(),
                        job.walltime(),
                        run.run(),
                        run.started(),
                        run.ended(),
                        run.outcome(),
                        0,
                        run.source(),
                        null)
                .withUsage(run.used());
    }

    private static Instant later(final Instant a, final Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
