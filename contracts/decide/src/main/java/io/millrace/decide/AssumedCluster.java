package io.millrace.decide;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Preemption;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as deciders must see it: its newest revision, with every command that no revision shows yet counted as executed.
 *
 * <p>Cores that a command frees count as free only when a revision shows it; cores that a command takes count as used immediately.
 *
 * <p>It overlays the view and stores only the differences, so its cost depends on the open commands, not on the number of jobs. It is valid
 * until the view changes.
 */
public final class AssumedCluster {

    private final ClusterView view;
    private final RevisionClosed marker;
    /** The jobs that open commands concern, in command order; empty: the job is gone. */
    private final LinkedHashMap<JobKey, Optional<JobObserved>> commanded = new LinkedHashMap<>();

    private int idle;

    private AssumedCluster(final ClusterView view, final RevisionClosed marker) {
        this.view = view;
        this.marker = marker;
        this.idle = marker.free().cores();
    }

    /** @throws NullPointerException if no revision of the cluster was closed yet; check {@link ClusterView#marker()} first */
    public static AssumedCluster of(final ClusterView view, final CommandView commands) {
        final AssumedCluster assumed =
                new AssumedCluster(view, Objects.requireNonNull(view.marker(), "no revision closed yet"));
        for (final Command command : commands.assumed()) {
            assumed.idle -= assumed.coresTaken(command.action());
            assumed.assume(command);
        }
        return assumed;
    }

    /** The revision it is based on. */
    public RevisionClosed marker() {
        return marker;
    }

    /** Cores that may still be promised; never negative. */
    public int idleCores() {
        return Math.max(0, idle);
    }

    /** A job in its assumed state; null if it does not exist or has ended. */
    public @Nullable JobObserved job(final JobKey key) {
        final Optional<JobObserved> differs = commanded.get(key);
        return differs == null ? view.job(key) : differs.orElse(null);
    }

    /** The jobs that open commands concern, in command order, changed or not. */
    public SequencedSet<JobKey> commanded() {
        return Collections.unmodifiableSequencedSet(commanded.sequencedKeySet());
    }

    /** Jobs in their assumed states; an array of which several tasks are assumed to start is listed once for each. */
    public Collection<JobObserved> jobs() {
        return commanded.isEmpty()
                ? view.jobs()
                : new AbstractCollection<>() {
                    @Override
                    public Iterator<JobObserved> iterator() {
                        return view.jobs().stream()
                                .flatMap(job -> Collections.nCopies(listed(job), job(job.job())).stream())
                                .filter(Objects::nonNull)
                                .iterator();
                    }

                    @Override
                    public int size() {
                        return view.jobs().stream().mapToInt(job -> listed(job)).sum();
                    }
                };
    }

    private int listed(final JobObserved seen) {
        final Optional<JobObserved> differs = commanded.get(seen.job());
        return differs == null || differs.isPresent() ? tasksStarting(seen.job()) : 0;
    }

    /** How many tasks of an array are assumed to start; 1 for any other job. Each occupies the resources of the job. */
    public int tasksStarting(final JobKey key) {
        final JobObserved seen = view.job(key);
        final JobObserved job = job(key);
        return seen != null && job != null && seen.state().isWaiting() && job.state() instanceof JobState.Running
                ? job.tasks()
                : 1;
    }

    private int coresTaken(final Action action) {
        return switch (action) {
            case Action.Start start -> waitingCores(start);
            case Action.Resume resume -> suspendedCores(job(resume.job()));
            case Action.Reclaim reclaim -> {
                final int freed = reclaim.victims().stream()
                        .map(this::job)
                        .filter(job -> job != null && job.state().occupiesCores())
                        .mapToInt(job -> job.resources().cores())
                        .sum();
                yield Math.max(0, waitingCores(reclaim.start()) - freed);
            }
            default -> 0;
        };
    }

    /** What waits of a start: the job, or of named tasks those in the record of the array and those that are listed on their own. */
    private List<JobObserved> waiting(final Action.Start start) {
        final String tasks = start.tasks();
        final JobObserved record = job(start.job());
        final Optional<JobObserved> job =
                Optional.ofNullable(record != null && record.state().isWaiting() ? record : null);
        if (tasks == null) {
            return job.map(waits -> waits.startedAs(null)).stream().toList();
        }
        final BitSet named = ArrayIndices.set(tasks);
        final List<JobObserved> found = new ArrayList<>();
        job.flatMap(waits -> waits.only(named)).ifPresent(found::add);
        for (final JobKey key : view.waitingTasks(start.job().id().local())) {
            final JobObserved task = job(key);
            if (task != null && task.state().isWaiting()) {
                task.only(named).ifPresent(found::add);
            }
        }
        return found;
    }

    private @Nullable Optional<JobObserved> observed(final JobKey key) {
        final JobObserved job = view.job(key);
        return job == null ? null : Optional.of(job);
    }

    private static int neededCores(final JobObserved job) {
        return job.tasks() * job.resources().cores();
    }

    private int waitingCores(final Action.Start start) {
        return waiting(start).stream().mapToInt(AssumedCluster::neededCores).sum();
    }

    private static int suspendedCores(final @Nullable JobObserved job) {
        return job != null && job.state() instanceof JobState.Suspended
                ? job.resources().cores()
                : 0;
    }

    private void assume(final Command command) {
        final JobState waiting =
                marker.control() == Control.DIRECTED ? new JobState.Held(HoldKind.ENTRY) : new JobState.Queued();
        final JobState running = new JobState.Running(command.issuedAt(), List.of());
        switch (command.action()) {
            case Action.Start start -> {
                waiting(start).forEach(job -> commanded.put(job.job(), Optional.of(job.in(running))));
                commanded.computeIfAbsent(start.job(), this::observed);
                move(start);
            }
            case Action.Reclaim reclaim -> {
                reclaim.allPreemptions().forEach(one -> put(one.victim(), left(one, waiting), false));
                waiting(reclaim.start()).forEach(job -> commanded.put(job.job(), Optional.of(job.in(running))));
                commanded.computeIfAbsent(reclaim.beneficiary(), this::observed);
            }
            case Action.Requeue requeue -> put(requeue.job(), waiting, false);
            case Action.Checkpoint checkpoint -> put(checkpoint.job(), waiting, false);
            case Action.Release release -> put(release.job(), waiting, true);
            case Action.Hold hold -> put(hold.job(), new JobState.Held(HoldKind.SUBMISSION), true);
            case Action.Cancel cancel -> gone(cancel.job());
            case Action.Resume resume -> resume(resume.job());
            default -> {} // changes neither the cores nor the state of a job that deciders count
        }
    }

    /** a start elsewhere takes the cores of the partition that it names. */
    private void move(final Action.Start start) {
        final PartitionName to = start.partition();
        if (to != null) {
            commanded.computeIfPresent(start.job(), (key, job) -> job.map(seen -> seen.in(to)));
        }
    }

    /** Where a victim is when it has left its cores. */
    private JobState left(final Preemption how, final JobState waiting) {
        final JobObserved victim = job(how.victim());
        return how.mode() == Preemption.Mode.SUSPEND
                        && victim != null
                        && victim.state() instanceof JobState.Running running
                ? new JobState.Suspended(running.startedAt(), running.nodes())
                : waiting;
    }

    private void resume(final JobKey key) {
        final JobObserved job = job(key);
        if (job != null && job.state() instanceof JobState.Suspended suspended) {
            commanded.put(key, Optional.of(job.in(new JobState.Running(suspended.startedAt(), suspended.nodes()))));
        }
    }

    /** Sets the assumed state, unless the revision already shows the job on the other side. */
    private void put(final JobKey key, final JobState state, final boolean fromWaiting) {
        final JobObserved job = job(key);
        if (job != null) {
            commanded.put(key, Optional.of(job.state().isWaiting() == fromWaiting ? job.in(state) : job));
        }
    }

    private void gone(final JobKey key) {
        if (view.job(key) != null) {
            commanded.put(key, Optional.empty());
        }
    }
}
