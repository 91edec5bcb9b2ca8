package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.JobListing;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobRequest;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs that ended since a given time, including those that were never observed in the queue. The source is the completion log of
 * {@code jobcomp.lua}. If that is not installed, it is {@code sacct}, and without slurmdbd the ended jobs that slurmctld keeps (MinJobAge).
 */
public final class RecentlyEndedJobs {

    /** Lines are ordered by end time to within this duration. */
    private static final Duration DISORDER = Duration.ofMinutes(10);

    private static final long FIRST_BYTES = 64 * 1024;
    private static final long MAX_BYTES = 128 * 1024 * 1024;

    private final SlurmSite site;
    private final Runner runner;
    private final Supplier<String> nonces;

    public RecentlyEndedJobs(final SlurmSite site, final Runner runner, final Supplier<String> nonces) {
        this.site = site;
        this.runner = runner;
        this.nonces = nonces;
    }

    public Answer<List<EndedJob>> since(final Instant since) {
        return tail(site.completionLog(), since).then(logged -> {
            final List<EndedRun> ends = logged.ends();
            if (ends == null) {
                return accounted(since);
            }
            final boolean reachesBack =
                    !logged.whole() || ends.stream().anyMatch(end -> end.ended().isBefore(since));
            return reachesBack
                    ? jobs(ends, since, "jobcomp")
                    : tail(site.rotatedCompletionLog(), since).then(rotated -> {
                        final List<EndedRun> all =
                                new ArrayList<>(Objects.requireNonNullElse(rotated.ends(), List.of()));
                        all.addAll(ends);
                        return jobs(all, since, "jobcomp");
                    });
        });
    }

    /** Reads an increasing part of the end of the file until it reaches back to that time. */
    private Answer<CompletionLogTail.Lines> tail(final Path file, final Instant since) {
        final Instant before = since.minus(DISORDER);
        Answer<CompletionLogTail.Lines> answer = runner.run(new CompletionLogTail(file, FIRST_BYTES));
        for (long bytes = FIRST_BYTES * 8; bytes <= MAX_BYTES && isTooShort(answer, before); bytes *= 8) {
            answer = runner.run(new CompletionLogTail(file, bytes));
        }
        return answer;
    }

    private static boolean isTooShort(final Answer<CompletionLogTail.Lines> answer, final Instant before) {
        return answer instanceof Answer.Ok<CompletionLogTail.Lines> ok
                && ok.value().ends() != null
                && !ok.value().whole()
                && ok.value().ends().stream().noneMatch(end -> end.ended().isBefore(before));
    }

    private Answer<List<EndedJob>> accounted(final Instant since) {
        final Answer<List<SacctRow>> rows = runner.run(SacctQuery.since(site, since, nonces.get()));
        if (rows instanceof Answer.Trouble<List<SacctRow>> trouble && trouble.kind() == Answer.Kind.REJECTED) {
            return new JobListing(site, runner, nonces)
                    .all()
                    .then(all -> jobs(
                            all.stream()
                                    .filter(JobStates::isEnded)
                                    .map(row -> EndedRun.of(row).withRequest(JobObservation.request(row)))
                                    .toList(),
                            since,
                            "squeue"));
        }
        return rows.then(seen -> exact(SacctRuns.of(seen)).then(runs -> jobs(runs, since, "sacct")));
    }

    /**
     * Corrects runs from sacct by the data of slurmctld while it still keeps the job. sacct reduces exit codes of 128 and above by 128,
     * changes quotes in job names, and briefly names every job "allocation".
     */
    private Answer<List<EndedRun>> exact(final List<EndedRun> runs) {
        if (runs.isEmpty()) {
            return Answer.ok(runs);
        }
        final List<String> ids = runs.stream().map(EndedRun::job).distinct().toList();
        return new JobListing(site, runner, nonces).of(ids).map(rows -> {
            final Map<JobKey, QueuedJob> remembered = new HashMap<>();
            rows.stream().filter(JobStates::isEnded).forEach(row -> remembered.put(row.key(site.cluster()), row));
            return runs.stream()
                    .map(run -> exact(run, remembered.get(run.key(site.cluster()))))
                    .toList();
        });
    }

    private static EndedRun exact(final EndedRun run, final @Nullable QueuedJob remembered) {
        if (remembered == null) {
            return run;
        }
        final EndedRun better = EndedRun.of(remembered);
        return (better.isSameRunAs(run) ? better : run).withRequest(JobObservation.request(remembered));
    }

    private Answer<List<EndedJob>> jobs(final List<EndedRun> runs, final Instant since, final String source) {
        final Map<JobKey, List<EndedRun>> byJob = new LinkedHashMap<>();
        // If logrotate copied the file, a line may be in both files.
        for (final EndedRun run : new LinkedHashSet<>(runs)) {
            byJob.computeIfAbsent(run.key(site.cluster()), key -> new ArrayList<>())
                    .add(run);
        }
        final List<List<EndedRun>> ended = byJob.values().stream()
                .filter(ofOne -> ofOne.stream()
                        .anyMatch(run -> run.endsTheJob() && !run.ended().isBefore(since)))
                .toList();
        return inQueue(ended).then(unfinished -> {
            final List<List<EndedRun>> finished = ended.stream()
                    .filter(ofOne -> !unfinished.contains(ofOne.get(0).key(site.cluster())))
                    .toList();
            return UserNameQuery.names(
                            runner, finished.stream().flatMap(List::stream).toList())
                    .map(names -> finished.stream()
                            .map(ofOne -> job(site.cluster(), ofOne, source, names))
                            .toList());
        });
    }

    /** The jobs whose last run was requeued, as the queue shows. */
    private Answer<Set<JobKey>> inQueue(final List<List<EndedRun>> jobs) {
        final List<String> uncertain = jobs.stream()
                .filter(ofOne -> ofOne.get(ofOne.size() - 1).mayBeRequeued())
                .map(ofOne -> ofOne.get(0).job())
                .toList();
        return uncertain.isEmpty()
                ? Answer.ok(Set.of())
                : new JobListing(site, runner, nonces).of(uncertain).map(rows -> {
                    final Set<JobKey> unfinished = new HashSet<>();
                    rows.stream()
                            .filter(row -> !JobStates.isEnded(row))
                            .forEach(row -> unfinished.add(row.key(site.cluster())));
                    return unfinished;
                });
    }

    static EndedJob job(
            final ClusterId cluster, final List<EndedRun> all, final String source, final Map<String, String> names) {
        final List<EndedRun> runs = all.stream()
                .filter(run -> run.component() == 0)
                .sorted(Comparator.comparing(EndedRun::restarts))
                .toList();
        final EndedRun last = runs.isEmpty() ? all.get(all.size() - 1) : runs.get(runs.size() - 1);
        final JobRequest request = all.stream()
                .filter(run -> run != last && run.component() > 0 && run.restarts() == last.restarts())
                .map(EndedRun::request)
                .filter(Objects::nonNull)
                .reduce(known(last.request()), JobRequest::plus);
        return new EndedJob(
                last.key(cluster),
                request.name(),
                JobObservation.attempt(last.tag()),
                request.owner(names),
                NameMapping.project(request.account()),
                NameMapping.partitions(request.partition()).get(0),
                request.resources(),
                request.walltime(),
                Stream.concat(runs.stream().filter(run -> run != last).map(EndedRun::requeued), Stream.of(last))
                        .map(run -> run.run(cluster, source))
                        .toList());
    }

    private static JobRequest known(final @Nullable JobRequest request) {
        return request == null ? JobRequest.UNKNOWN : request;
    }
}
