package io.millrace.agent.lsf.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.observe.JobListing;
import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.lsf.observe.JobObservation;
import io.millrace.agent.lsf.observe.PendingArrayTasks;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.FoundAttempts;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.agent.wlm.capability.AttemptFinding;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jobs that have left the queue, found by time or by attempt tag. */
public final class EndedRuns implements Accounting, AttemptFinding {

    private final LsfSite site;
    private final Runner runner;
    private final JobListing listing;
    private final JobLookup lookup;
    private final JobHistories histories;
    private final PurgedJobs purgedJobs;
    private final PendingArrayTasks tasks;

    public EndedRuns(
            final LsfSite site,
            final Runner runner,
            final JobListing listing,
            final JobLookup lookup,
            final JobHistories histories,
            final PurgedJobs purgedJobs,
            final PendingArrayTasks tasks) {
        this.site = site;
        this.runner = runner;
        this.listing = listing;
        this.lookup = lookup;
        this.histories = histories;
        this.purgedJobs = purgedJobs;
        this.tasks = tasks;
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> jobs) {
        return histories.of(jobs.stream().filter(job -> !tasks.isArray(job)).toList());
    }

    /** Each task ends under its own id, including tasks that are cancelled while pending. */
    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return Answer.ok(Set.copyOf(arrays));
    }

    /** Jobs that mbatchd still lists, and jobs in the accounting file that it has purged. */
    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        // The accounting file comes first: a job that is requeued meanwhile is then found in the queue.
        return purgedJobs.records(since).then(lines -> remembered(since, lines));
    }

    private Answer<List<EndedJob>> remembered(final Instant since, final List<AccountingRecord> lines) {
        return listing.all().then(jobs -> {
            final Map<JobKey, ListedJob> ended = jobs.stream()
                    .filter(job -> hasLeft(job)
                            && (job.finished() == null || !job.finished().isBefore(since)))
                    .collect(Collectors.toMap(
                            job -> job.key(site.cluster()), job -> job, (a, b) -> b, LinkedHashMap::new));
            final Set<JobKey> known =
                    jobs.stream().map(job -> job.key(site.cluster())).collect(Collectors.toSet());
            return histories
                    .of(ended.keySet())
                    .then(runs -> purgedJobs
                            .ends(lines, known, since)
                            .map(purged -> Stream.concat(endedJobs(ended, runs).stream(), purged.stream())
                                    .toList()));
        });
    }

    private boolean hasLeft(final ListedJob job) {
        return lookup.state(job, job.key(site.cluster()), null).isEmpty();
    }

    private List<EndedJob> endedJobs(final Map<JobKey, ListedJob> ended, final List<Run> runs) {
        final Map<JobKey, List<Run>> byJob = runs.stream().collect(Collectors.groupingBy(Run::job));
        final List<EndedJob> endedJobs = new ArrayList<>();
        ended.forEach((key, job) -> {
            final List<Run> jobRuns = byJob.getOrDefault(key, List.of());
            if (!jobRuns.isEmpty() && jobRuns.getLast().outcome().endsTheKey()) {
                final JobObserved seen = JobObservation.of(
                        site.cluster(),
                        job,
                        new JobState.Completing(),
                        0,
                        null,
                        jobRuns.getLast().ended());
                endedJobs.add(new EndedJob(
                        key,
                        seen.name(),
                        seen.attempt(),
                        seen.owner(),
                        seen.project(),
                        seen.partition(),
                        seen.resources(),
                        seen.walltime(),
                        jobRuns));
            }
        });
        return endedJobs;
    }

    /** Jobs with these tags in the queue, among the ended jobs that mbatchd lists, and in the accounting file. */
    @Override
    public Answer<Map<AttemptId, List<Found>>> find(final Map<AttemptId, UserName> owners) {
        return listing.all()
                .then(jobs -> accounted(owners.keySet()).map(lines -> {
                    final FoundAttempts found = new FoundAttempts(owners);
                    for (final AccountingRecord line : lines) {
                        final AttemptId attempt = line.attempt();
                        if (attempt != null && found.includes(attempt, NameMapping.user(line.user()))) {
                            found.add(attempt, line.key(site.cluster()), true);
                        }
                    }
                    for (final ListedJob job : jobs) {
                        final AttemptId attempt = job.attempt();
                        if (attempt != null
                                && found.includes(
                                        attempt, NameMapping.user(job.heading().user()))) {
                            found.add(attempt, job.key(site.cluster()), hasLeft(job));
                        }
                    }
                    return found.inOrder();
                }));
    }

    private Answer<List<AccountingRecord>> accounted(final Collection<AttemptId> attempts) {
        return site.logDir() == null
                ? Answer.ok(List.of())
                : runner.run(AccountingQuery.tagged(site, site.logDir(), attempts));
    }
}
