package io.millrace.agent.slurm;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Run;
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

/** What the sources have told so far about the ends of some jobs. */
final class RunReconciliation {

    private record Told(EndedRun end, String source) {}

    private final ClusterId cluster;
    private final Set<JobKey> jobs;
    private final Map<JobKey, NavigableMap<Integer, Told>> runs = new HashMap<>();
    private final Map<JobKey, Integer> alive = new HashMap<>();
    private final Set<JobKey> lookedFor = new HashSet<>();
    private Answer.@Nullable Trouble<?> trouble;

    RunReconciliation(final ClusterId cluster, final Collection<JobKey> jobs) {
        this.cluster = cluster;
        this.jobs = Set.copyOf(jobs);
    }

    <T> void read(final Answer<T> answer, final Consumer<T> take) {
        switch (answer) {
            case Answer.Ok<T> ok -> take.accept(ok.value());
            case Answer.Trouble<T> said -> {
                // A cluster without slurmdbd is no trouble.
                if (said.kind() != Answer.Kind.REJECTED && trouble == null) {
                    trouble = said;
                }
            }
        }
    }

    void addRuns(final List<EndedRun> ends, final String source) {
        for (final EndedRun end : ends) {
            final JobKey key = end.key(cluster);
            if (jobs.contains(key) && end.component() == 0) {
                runs.computeIfAbsent(key, k -> new TreeMap<>()).putIfAbsent(end.restarts(), new Told(end, source));
            }
        }
    }

    /** What slurmctld knows of these: still in the queue, ended, or nothing any more. */
    void addQueueRows(final Collection<JobKey> asked, final List<QueuedJob> rows) {
        lookedFor.addAll(asked);
        for (final QueuedJob row : rows) {
            if (JobStates.isEnded(row)) {
                addRuns(List.of(EndedRun.of(row)), "squeue");
            } else if (jobs.contains(row.key(cluster))) {
                alive.put(row.key(cluster), row.restarts());
            }
        }
    }

    /** The jobs of which no source has said for certain that they are over. */
    Set<JobKey> withoutFinalRun() {
        return jobs.stream().filter(job -> !isOver(job)).collect(Collectors.toSet());
    }

    /** The jobs of which a run is missing, the last or one before it. */
    Set<JobKey> incomplete() {
        return jobs.stream()
                .filter(job -> alive.containsKey(job)
                        ? known(job).headMap(alive.getOrDefault(job, 0)).size() < alive.getOrDefault(job, 0)
                        : !isOver(job) || known(job).size() <= known(job).lastKey())
                .collect(Collectors.toSet());
    }

    private NavigableMap<Integer, Told> known(final JobKey job) {
        return runs.getOrDefault(job, new TreeMap<>());
    }

    private boolean isOver(final JobKey job) {
        final NavigableMap<Integer, Told> known = known(job);
        if (known.isEmpty() || alive.containsKey(job)) {
            return false;
        }
        final EndedRun last = known.lastEntry().getValue().end();
        return last.endsTheJob() && (!last.mayBeRequeued() || lookedFor.contains(job));
    }

    /** All runs, oldest first; trouble only if nothing at all is known. */
    Answer<List<Run>> runs() {
        final List<Run> all = new ArrayList<>();
        runs.forEach((job, known) -> known.forEach((number, told) -> {
            final boolean last = number.equals(known.lastKey()) && !alive.containsKey(job);
            if (!last || !told.end().endsTheJob() || isOver(job)) {
                final EndedRun end = last ? told.end() : told.end().requeued();
                all.add(end.run(cluster, told.source()));
            }
        }));
        if (all.isEmpty() && trouble != null) {
            return trouble.of();
        }
        all.sort(Comparator.comparing(Run::ended).thenComparingInt(Run::run));
        return Answer.ok(List.copyOf(all));
    }
}
