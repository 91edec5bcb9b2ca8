package io.millrace.agent.torque.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.ExecHost;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.pbs.PbsSize;
import io.millrace.agent.pbs.ResourcesUsed;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.JobStates;
import io.millrace.agent.torque.query.NodeSpec;
import io.millrace.agent.torque.query.TorqueFeatures;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.model.AttemptId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports how runs ended: from the accounting log, else from completed jobs in {@code qstat}, else from {@code tracejob}. If none
 * of them has the end of a run, it is not reported.
 */
public final class EndedRuns implements Accounting {

    private static final int TRACED_AT_ONCE = 5;

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup lookup;
    private final AttemptRegistry tags;
    private final Clock clock;
    private final Supplier<Answer<TorqueFeatures>> features;

    public EndedRuns(
            final TorqueSite site,
            final Runner runner,
            final JobLookup lookup,
            final AttemptRegistry tags,
            final Clock clock,
            final Supplier<Answer<TorqueFeatures>> features) {
        this.site = site;
        this.runner = runner;
        this.lookup = lookup;
        this.tags = tags;
        this.clock = clock;
        this.features = features;
    }

    @Override
    public Answer<List<Run>> ended(final Collection<JobKey> keys) {
        return features.get()
                .then(known -> of(keys.stream()
                        .filter(key -> !known.listsArrayTasks() || !isArray(key))
                        .toList()));
    }

    /** If tasks are listed, each ends under its own id, including tasks deleted while waiting. */
    @Override
    public Answer<Set<JobKey>> dissolved(final Collection<JobKey> arrays) {
        return features.get().map(known -> known.listsArrayTasks() ? Set.copyOf(arrays) : Set.of());
    }

    private static boolean isArray(final JobKey key) {
        return PbsId.in(key.id().local()).filter(PbsId::isArray).isPresent();
    }

    private Answer<List<Run>> of(final Collection<JobKey> jobs) {
        if (jobs.isEmpty()) {
            return Answer.ok(List.of());
        }
        return listed(jobs).then(queue -> {
            final Answer<Map<String, List<AccountingRecord>>> log = records(jobs);
            final Map<String, List<AccountingRecord>> known =
                    log instanceof Answer.Ok<Map<String, List<AccountingRecord>>> ok ? ok.value() : Map.of();
            final List<Run> runs = new ArrayList<>();
            final List<JobKey> silent = new ArrayList<>();
            for (final JobKey job : jobs) {
                final Optional<TorqueJob> seen = Optional.ofNullable(queue.get(job));
                final List<Run> noted = runs(job, known, seen);
                runs.addAll(noted);
                if (noted.stream().noneMatch(run -> run.outcome().endsTheJob())
                        && (seen.isEmpty() || seen.get().isCompleted())) {
                    final List<Run> remembered =
                            seen.map(one -> remembered(job, one)).orElse(List.of());
                    runs.addAll(remembered);
                    if (remembered.isEmpty()) {
                        silent.add(job);
                    }
                }
            }
            silent.stream().limit(TRACED_AT_ONCE).forEach(job -> runs.addAll(traced(job)));
            // If the log cannot be read and there is no other source, the answer is the error.
            return log instanceof Answer.Trouble<Map<String, List<AccountingRecord>>> trouble && runs.isEmpty()
                    ? trouble.of()
                    : Answer.ok(sorted(runs));
        });
    }

    private Answer<Map<JobKey, TorqueJob>> listed(final Collection<JobKey> jobs) {
        return lookup.byIds(jobs.stream().map(job -> job.id().local()).toList())
                .map(found -> found.stream()
                        .filter(TorqueJob::hasKey)
                        .collect(Collectors.toMap(job -> job.key(site.cluster()), Function.identity(), (a, b) -> b)));
    }

    private Answer<Map<String, List<AccountingRecord>>> records(final Collection<JobKey> jobs) {
        final Instant oldest = jobs.stream()
                .map(JobKey::submittedAt)
                .min(Comparator.naturalOrder())
                .orElse(clock.instant());
        return runner.run(AccountingQuery.of(
                        site, jobs.stream().map(job -> job.id().local()).toList(), oldest, clock.instant()))
                .map(EndedRuns::byId);
    }

    private static Map<String, List<AccountingRecord>> byId(final List<AccountingRecord> records) {
        return records.stream()
                .collect(Collectors.groupingBy(AccountingRecord::id, LinkedHashMap::new, Collectors.toList()));
    }

    private static List<Run> runs(
            final JobKey job, final Map<String, List<AccountingRecord>> known, final Optional<TorqueJob> seen) {
        final List<Run> runs = new ArrayList<>();
        for (final RunHistory life : RunHistory.of(known.getOrDefault(job.id().local(), List.of()))) {
            if (life.belongsTo(job.submittedAt())) {
                runs.addAll(life.runs(job, seen.isEmpty() || seen.get().isCompleted(), "accounting"));
            }
        }
        return seen.map(one -> asOftenAsStarted(runs, one)).orElse(runs);
    }

    /** The server counts a start that failed before pbs_mom accepted the job, but some versions do not log it. */
    private static List<Run> asOftenAsStarted(final List<Run> runs, final TorqueJob job) {
        final long starts = job.object().number("start_count", 0);
        return runs.stream()
                .map(run -> run.outcome().endsTheJob() && run.started() != null && run.run() < starts
                        ? new Run(
                                run.job(),
                                (int) starts,
                                run.started(),
                                run.ended(),
                                run.outcome(),
                                run.source(),
                                run.used())
                        : run)
                .toList();
    }

    /** The end of a completed job in qstat. It does not show deletions, so an end by SIGTERM is left to the logs. */
    private static List<Run> remembered(final JobKey key, final TorqueJob job) {
        final Instant ended = Optional.ofNullable(job.instant("comp_time"))
                .or(() -> Optional.ofNullable(job.instant("mtime")))
                .orElse(null);
        if (!job.isCompleted() || ended == null) {
            return List.of();
        }
        if (!job.object().has("exit_status")) {
            return job.hasStarted()
                    ? List.of()
                    : List.of(new Run(key, job.restarts() + 1, null, ended, new RunOutcome.Cancelled(), "qstat"));
        }
        final RunOutcome outcome =
                RunOutcomes.of((int) job.object().number("exit_status", 0), false, job.object()::get);
        return outcome.equals(new RunOutcome.Signalled(15))
                ? List.of()
                : List.of(new Run(
                        key,
                        job.restarts() + 1,
                        JobStates.started(job),
                        ended,
                        outcome,
                        "qstat",
                        ResourcesUsed.read(job.object()::get)));
    }

    private List<Run> traced(final JobKey job) {
        final int days = (int) Math.min(
                400, Duration.between(job.submittedAt(), clock.instant()).toDays() + 2);
        return runner.run(new Tracejob(site, job.id().local(), Math.max(1, days)))
                                instanceof Answer.Ok<List<AccountingRecord>> found
                        && !found.value().isEmpty()
                ? new RunHistory(found.value()).runs(job, true, "tracejob")
                : List.of();
    }

    /** All jobs that ended since the given time. The end record contains everything needed. */
    @Override
    public Answer<List<EndedJob>> endedSince(final Instant since) {
        final Instant now = clock.instant();
        return runner.run(AccountingQuery.endsSince(site, since, now)).then(ends -> {
            final Map<JobKey, AccountingRecord> ended = new HashMap<>();
            for (final AccountingRecord end : ends) {
                final Instant created = end.time("ctime");
                if (end.type() == 'E' && created != null && !end.at().isBefore(since)) {
                    ended.put(new JobKey(new JobId(site.cluster(), end.id()), created), end);
                }
            }
            if (ended.isEmpty()) {
                return Answer.ok(List.of());
            }
            return records(ended.keySet())
                    .map(known -> ended.entrySet().stream()
                            .map(entry -> job(entry.getKey(), entry.getValue(), known))
                            .flatMap(Optional::stream)
                            .toList());
        });
    }

    private Optional<EndedJob> job(
            final JobKey key, final AccountingRecord end, final Map<String, List<AccountingRecord>> known) {
        final List<Run> runs = sorted(runs(key, known, Optional.empty()));
        if (runs.isEmpty() || !runs.get(runs.size() - 1).outcome().endsTheJob()) {
            return Optional.empty();
        }
        return Optional.of(job(key, end, tags.attempt(key).orElse(null), runs));
    }

    static EndedJob job(
            final JobKey key, final AccountingRecord end, final @Nullable AttemptId attempt, final List<Run> runs) {
        final int cores = ExecHost.cores(end.field("exec_host")).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        final NodeSpec spec = NodeSpec.read(end.field("Resource_List.nodes"));
        return new EndedJob(
                key,
                end.field("jobname"),
                attempt,
                NameMapping.user(end.field("user")),
                PbsNames.project(end.field("account")),
                NameMapping.partition(end.field("queue")),
                new Resources(
                        cores > 0 ? cores : spec.cores(),
                        spec.nodes() > 1 ? spec.nodes() : 0,
                        PbsSize.mib(end.field("Resource_List.mem")),
                        spec.gpus()),
                PbsDuration.read(end.field("Resource_List.walltime")),
                runs);
    }

    private static List<Run> sorted(final List<Run> runs) {
        return runs.stream()
                .sorted(Comparator.comparing(Run::ended).thenComparingInt(Run::run))
                .toList();
    }
}
