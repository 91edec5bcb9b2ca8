package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbspro.query.JobMapper;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsQueries;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.QueryResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reports how runs ended. The job history ({@code qstat -x}) has the last run of a job and whether it was deleted. The accounting
 * log also has earlier, requeued runs. If the log cannot be read, {@code tracejob} is run for single jobs.
 */
public final class EndedRuns implements Accounting {

    /** Up to this number of jobs, the history is queried job by job. qstat accepts several ids but prints only the first. */
    private static final int ONE_BY_ONE = 3;

    private static final int MOST_TRACED = 5;

    private final PbsSite site;
    private final Runner runner;
    private final PbsQueries queries;
    private final Clock clock;
    private final EndedJobs jobs;

    public EndedRuns(final PbsSite site, final Runner runner, final PbsQueries queries, final Clock clock) {
        this.site = site;
        this.runner = runner;
        this.queries = queries;
        this.clock = clock;
        this.jobs = new EndedJobs(site, runner, clock);
    }

    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        return jobs.since(since);
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> keys) {
        final List<JobKey> jobs = keys.stream()
                .filter(key -> PbsId.in(key.id().local()).isPresent())
                .toList();
        if (jobs.isEmpty()) {
            return Answer.ok(List.of());
        }
        final Answer<Map<JobKey, Run>> remembered = fromHistory(jobs);
        final Answer<List<AccountingRecord>> logged = logged(jobs);
        if (remembered instanceof Answer.Ok<Map<JobKey, Run>> ok) {
            return Answer.ok(merge(
                    jobs,
                    ok.value(),
                    logged instanceof Answer.Ok<List<AccountingRecord>> log ? log.value() : List.of()));
        }
        return logged.then(log -> Answer.ok(merge(jobs, Map.of(), log)));
    }

    private List<Run> merge(
            final List<JobKey> jobs, final Map<JobKey, Run> remembered, final List<AccountingRecord> log) {
        final Map<String, List<AccountingRecord>> byJob =
                log.stream().collect(Collectors.groupingBy(AccountingRecord::job));
        final List<Run> runs = new ArrayList<>();
        for (final JobKey key : jobs) {
            final Map<Integer, Run> ofJob = new LinkedHashMap<>();
            final List<AccountingRecord> records = byJob.getOrDefault(key.id().local(), List.of());
            final boolean deleted = records.stream().anyMatch(record -> record.type() == 'D' && after(record, key));
            for (final AccountingRecord record : records) {
                if (record.endsARun() && key.equals(record.key(site))) {
                    final Run run = record.run(key, deleted);
                    ofJob.put(run.run(), run);
                }
            }
            final Run last = remembered.get(key);
            if (last != null) {
                ofJob.put(last.run(), last);
            } else if (ofJob.values().stream().noneMatch(run -> run.outcome().endsTheJob())) {
                neverRun(key, records).ifPresent(run -> ofJob.put(run.run(), run));
            }
            runs.addAll(ofJob.values());
        }
        runs.sort(Comparator.comparing(Run::ended).thenComparingInt(Run::run));
        return List.copyOf(runs);
    }

    private static boolean after(final AccountingRecord record, final JobKey key) {
        final Instant at = record.at();
        return at == null || !at.isBefore(key.submittedAt());
    }

    /**
     * The end of a job that was deleted while waiting. There is no end record, only a record of the deletion. The job may have run
     * before.
     */
    private static Optional<Run> neverRun(final JobKey key, final List<AccountingRecord> records) {
        final long before = records.stream()
                .filter(record -> record.type() == 'R')
                .mapToLong(record -> record.number("run_count", 1))
                .max()
                .orElse(0);
        return records.stream()
                .filter(record -> record.type() == 'D' || record.type() == 'A')
                .filter(record -> record.at() != null && after(record, key))
                .filter(record -> records.stream().noneMatch(start -> start.type() == 'S'))
                .findFirst()
                .map(record -> new Run(
                        key,
                        (int) before + 1,
                        null,
                        record.at() == null ? key.submittedAt() : record.at(),
                        new RunOutcome.Cancelled(),
                        "accounting log"));
    }

    private Answer<Map<JobKey, Run>> fromHistory(final List<JobKey> jobs) {
        final Map<JobKey, Run> runs = new LinkedHashMap<>();
        if (jobs.size() > ONE_BY_ONE) {
            return queries.history("").map(listing -> ends(listing, jobs, runs));
        }
        for (final JobKey job : jobs) {
            switch (queries.history(job.id().local())) {
                case Answer.Ok<QueryResult> ok -> ends(ok.value(), jobs, runs);
                case Answer.Trouble<QueryResult> trouble -> {
                    return trouble.of();
                }
            }
        }
        return Answer.ok(runs);
    }

    private Map<JobKey, Run> ends(final QueryResult listing, final List<JobKey> jobs, final Map<JobKey, Run> runs) {
        for (final PbsJob job : JobMapper.jobs(site, listing)) {
            if (job.isFinished() && job.hasKey() && jobs.contains(job.key())) {
                RunOutcomes.last(job).ifPresent(run -> runs.put(job.key(), run));
            }
        }
        return runs;
    }

    private Answer<List<AccountingRecord>> logged(final List<JobKey> jobs) {
        if (site.accounting() == null
                || !(runner.run(new AccountingLog.Readable(site.accounting())) instanceof Answer.Ok<Boolean> readable)
                || !readable.value()) {
            return traced(jobs);
        }
        final Instant first = jobs.stream()
                .map(JobKey::submittedAt)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        final List<String> strings = new ArrayList<>();
        for (final JobKey job : jobs) {
            for (final char type : new char[] {'E', 'R', 'D', 'A', 'S'}) {
                strings.add(";" + type + ";" + job.id().local() + ";");
            }
        }
        return runner.run(new AccountingLog.Search(
                site, AccountingLog.files(site.accounting(), first, clock.instant()), strings));
    }

    private Answer<List<AccountingRecord>> traced(final List<JobKey> jobs) {
        final List<AccountingRecord> records = new ArrayList<>();
        Answer<List<AccountingRecord>> last = Answer.ok(List.of());
        for (final JobKey job : jobs.subList(0, Math.min(MOST_TRACED, jobs.size()))) {
            final long days =
                    Duration.between(job.submittedAt(), clock.instant()).toDays() + 1;
            last = runner.run(new AccountingLog.Trace(site, job.id().local(), (int) Math.max(1, Math.min(days, 30))));
            if (last instanceof Answer.Ok<List<AccountingRecord>> ok) {
                records.addAll(ok.value());
            }
        }
        return records.isEmpty() ? last : Answer.ok(records);
    }
}
