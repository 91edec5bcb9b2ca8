package io.millrace.agent.lsf.observe;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.query.DependencyQuery;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.ListedJob.Dependency;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether the dependencies of waiting jobs are met: from the list of jobs, and from LSF for the few that the list does not tell. */
final class Dependencies {

    /** Queries for one listing. The jobs that were asked about longest ago come first; the others keep their last answer. */
    private static final int MAX_QUERIES = 20;

    private record Answered(Dependency dependency, Instant at) {}

    private final LsfSite site;
    private final Runner runner;
    private final Clock clock;
    private final Map<JobKey, Answered> answers = new HashMap<>();

    Dependencies(final LsfSite site, final Runner runner, final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
    }

    static boolean mayBlock(final ListedJob job) {
        return job.isWaiting() && !job.request().dependency().isEmpty();
    }

    /**
     * The same jobs, with the state of their dependencies.
     *
     * @param all all listed jobs
     */
    synchronized List<ListedJob> resolve(
            final List<ListedJob> jobs, final Collection<ListedJob> all, final boolean isLsf) {
        final Map<JobKey, Dependency> known = new HashMap<>();
        for (final ListedJob job : jobs) {
            if (mayBlock(job)) {
                known.put(job.key(site.cluster()), listed(job, all));
            }
        }
        jobs.stream()
                .filter(job -> known.get(job.key(site.cluster())) == Dependency.UNKNOWN)
                .sorted(Comparator.comparing(this::askedAt))
                .limit(MAX_QUERIES)
                .forEach(job -> ask(job, isLsf));
        return jobs.stream().map(job -> resolved(job, known)).toList();
    }

    /** Forgets jobs that are not listed any more. */
    synchronized void keepOnly(final Collection<ListedJob> listed) {
        answers.keySet()
                .retainAll(listed.stream()
                        .map(job -> job.key(site.cluster()))
                        .collect(Collectors.toCollection(HashSet::new)));
    }

    private static Dependency listed(final ListedJob job, final Collection<ListedJob> all) {
        return job.reportsUnmetDependency()
                ? Dependency.UNMET
                : DependencyCondition.isMet(job, all).map(Dependencies::of).orElse(Dependency.UNKNOWN);
    }

    private static Dependency of(final boolean met) {
        return met ? Dependency.MET : Dependency.UNMET;
    }

    private Instant askedAt(final ListedJob job) {
        final @Nullable Answered last = answers.get(job.key(site.cluster()));
        return last == null ? Instant.MIN : last.at();
    }

    private void ask(final ListedJob job, final boolean isLsf) {
        final Answer<Optional<Boolean>> met = runner.run(
                new DependencyQuery(site, isLsf, job.id(), job.request().dependency()));
        final Dependency answer = met instanceof Answer.Ok<Optional<Boolean>> ok
                ? ok.value().map(Dependencies::of).orElse(Dependency.UNKNOWN)
                : Dependency.UNKNOWN;
        answers.put(job.key(site.cluster()), new Answered(answer, clock.instant()));
    }

    private ListedJob resolved(final ListedJob job, final Map<JobKey, Dependency> known) {
        final JobKey key = job.key(site.cluster());
        final @Nullable Dependency dependency = known.get(key);
        if (dependency == null) {
            return job;
        }
        final @Nullable Answered asked = answers.get(key);
        return job.with(dependency == Dependency.UNKNOWN && asked != null ? asked.dependency() : dependency);
    }
}
