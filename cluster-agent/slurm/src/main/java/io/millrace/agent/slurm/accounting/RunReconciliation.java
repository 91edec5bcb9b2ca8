package io.millrace.agent.slurm.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Combines what several sources report about the runs of some jobs. The first source that reports a run takes precedence. */
final class RunReconciliation {

    private record SourcedRun(EndedRun end, String source) {}

    private final ClusterId cluster;
    private final Set<JobKey> jobs;
    private final Map<JobKey, NavigableMap<Integer, SourcedRun>> runs = new HashMap<>();
    private final Map<JobKey, Integer> unfinished = new HashMap<>();
    private final Set<JobKey> checkedInQueue = new HashSet<>();
    private Answer.@Nullable Trouble<?> trouble;

    RunReconciliation(final ClusterId cluster, final Collection<JobKey> jobs) {
        this.cluster = cluster;
        this.jobs = Set.copyOf(jobs);
    }

    <T> void read(final Answer<T> answer, final Consumer<T> take) {
        switch (answer) {
            case Answer.Ok<T> ok -> take.accept(ok.value());
            case Answer.Trouble<T> failed -> {
                // REJECTED means that the cluster has no slurmdbd, which is not an error.
                if (failed.kind() != Answer.Kind.REJECTED && trouble == null) {
                    trouble = failed;
                }
            }
        }
    }

    void addRuns(final List<EndedRun> ends, final String source) {
        for (final EndedRun end : ends) {
            final JobKey key = end.key(cluster);
            if (jobs.contains(key) && end.component() == 0) {
                runs.computeIfAbsent(key, k -> new TreeMap<>())
                        .putIfAbsent(end.restarts(), new SourcedRun(end, source));
            }
        }
    }

    /** @param queried the jobs that slurmctld was queried for; a job without a row is unknown to it */
    void addQueueRows(final Collection<JobKey> queried, final List<QueuedJob> rows) {
        checkedInQueue.addAll(queried);
        for (final QueuedJob row : rows) {
            if (JobStates.isEnded(row)) {
                addRuns(List.of(EndedRun.of(row)), "squeue");
            } else if (jobs.contains(row.key(cluster))) {
                unfinished.put(row.key(cluster), row.restarts());
            }
        }
    }

    /** The jobs for which no source has reported a final end. */
    Set<JobKey> withoutFinalRun() {
        return jobs.stream().filter(job -> !hasEnded(job)).collect(Collectors.toSet());
    }

    /** The jobs with a missing run, either the last one or an earlier one. */
    Set<JobKey> incomplete() {
        return jobs.stream()
                .filter(job -> unfinished.containsKey(job)
                        ? known(job).headMap(unfinished.getOrDefault(job, 0)).size() < unfinished.getOrDefault(job, 0)
                        : !hasEnded(job) || known(job).size() <= known(job).lastKey())
                .collect(Collectors.toSet());
    }

    private NavigableMap<Integer, SourcedRun> known(final JobKey job) {
        return runs.getOrDefault(job, new TreeMap<>());
    }

    private boolean hasEnded(final JobKey job) {
        final NavigableMap<Integer, SourcedRun> known = known(job);
        if (known.isEmpty() || unfinished.containsKey(job)) {
            return false;
        }
        final EndedRun last = known.lastEntry().getValue().end();
        return last.endsTheJob() && (!last.mayBeRequeued() || checkedInQueue.contains(job));
    }

    /** All runs, oldest first; trouble only if no source reported any run. */
    Answer<List<Run>> runs() {
        final List<Run> all = new ArrayList<>();
        runs.forEach((job, known) -> known.forEach((number, sourced) -> {
            final boolean last = number.equals(known.lastKey()) && !unfinished.containsKey(job);
            if (!last || !sourced.end().endsTheJob() || hasEnded(job)) {
                final EndedRun end = last ? sourced.end() : sourced.end().requeued();
                all.add(end.run(cluster, sourced.source()));
            }
        }));
        if (all.isEmpty() && trouble != null) {
            return trouble.of();
        }
        all.sort(Comparator.comparing(Run::ended).thenComparingInt(Run::run));
        return Answer.ok(List.copyOf(all));
    }
}
