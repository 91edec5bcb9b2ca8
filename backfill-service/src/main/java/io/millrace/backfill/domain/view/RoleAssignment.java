package io.millrace.backfill.domain.view;

import io.millrace.backfill.domain.CheckpointPreemption;
import io.millrace.backfill.domain.IneligibleJob;
import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.JobRole;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.decide.AssumedCluster;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.PlacementRequest;
import io.millrace.decide.RetryPolicy;
import io.millrace.decide.RetryPolicy.Pause;
import io.millrace.model.Backoff;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Determines the role of each job at one time.
 *
 * @param nodes free capacity; jobs that are assumed to run take their shares from it
 * @param inBackoff collects jobs whose role may change with time
 */
record RoleAssignment(
        QueueView view,
        AssumedCluster assumed,
        Commitments commitments,
        ClusterInventory inventory,
        FreeNodeCapacity nodes,
        Instant now,
        JobsInBackoff inBackoff) {

    private static final RetryPolicy RETRY =
            new RetryPolicy(new Backoff(Duration.ofSeconds(15), Duration.ofMinutes(10)));

    /** Null if it has no role: it neither occupies cores nor waits for cores. */
    @Nullable
    JobRole role(final JobObserved job) {
        return switch (job.state()) {
            case JobState.Running state ->
                runs(job, ShadowTime.after(state.startedAt(), inventory.walltimeLimit(job)), state.nodes());
            case JobState.Completing state -> runs(job, now.getEpochSecond(), List.of());
            // A job in an unknown state occupies its cores for an unknown time.
            case JobState.Unknown state -> runs(job, ShadowTime.NEVER, List.of());
            case JobState.Queued state -> waits(job);
            case JobState.Held state -> waits(job);
            case JobState.Suspended state -> null;
            case JobState.Unsettled state -> null;
        };
    }

    private JobRole runs(final JobObserved job, final long end_s, final List<NodeName> observedNodes) {
        final JobObserved latest = view.followed().view().job(job.job());
        final boolean isAssumed = latest != null && latest.state().isWaiting();
        final int tasks = assumed.tasksStarting(job.job());
        return new RunningJob(
                        job.job(),
                        job.resources().times(tasks),
                        job.partition(),
                        end_s,
                        isAssumed ? take(PlacementRequest.of(job), tasks) : observedNodes)
                .startedOn(startBasis(job), attributes(job))
                .withPlacement(job.detail().placement().times(tasks));
    }

    /** Takes the shares of so many tasks. */
    private List<NodeName> take(final PlacementRequest task, final int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> nodes.take(task))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /** A job on a shrunk estimate is preemptible unless its preemption is in back-off. */
    private RunningJob.StartBasis startBasis(final JobObserved job) {
        final OptionalLong shrunkEnd_s = commitments.shrunkEnd_s(job.job());
        if (shrunkEnd_s.isEmpty() || !(job.state() instanceof JobState.Running running)) {
            return RunningJob.StartBasis.NOT_SHRUNK;
        }
        final boolean isInBackoff =
                backoff(job.job(), CheckpointPreemption.actionFor(job)).isPresent();
        return new RunningJob.StartBasis(running.startedAt().getEpochSecond(), shrunkEnd_s.getAsLong(), !isInBackoff);
    }

    private JobAttributes attributes(final JobObserved job) {
        return new JobAttributes(
                job.owner().value(),
                view.classOf(job.job()),
                job.checkpoint().isOffered(assumed.marker().capabilities()),
                job.restarts(),
                0,
                0,
                view.expected_s(job.job()));
    }

    private JobRole waits(final JobObserved job) {
        final JobObserved latest = view.followed().view().job(job.job());
        if (latest != null && latest.state() instanceof JobState.Running state) {
            // It is being requeued and keeps its cores until a revision shows that they are free.
            return new RunningJob(job.job(), job.resources(), job.partition(), now.getEpochSecond(), state.nodes());
        }
        // Always computed: an answer that is forgotten also changes the other partitions.
        final Optional<Veto> backoff = startBackoff(job);
        final List<PartitionName> others = others(job);
        final Optional<Veto> ownPartition = inventory.veto(job);
        final Optional<StartableTasks> tasks = tasks(job);
        final Optional<Veto> veto = veto(job)
                .or(() -> others.isEmpty() ? ownPartition : Optional.empty())
                .or(() -> backoff)
                .or(() -> tasks.flatMap(StartableTasks::veto));
        if (veto.isPresent()) {
            return new IneligibleJob(job.job(), veto.get());
        }
        final Entitlement entitlement =
                Objects.requireNonNull(view.entitlement(job.job()), "a job without an entitlement is ineligible");
        final QueuedJob queued = QueuedJob.of(
                        job.job(),
                        job.resources(),
                        job.partition(),
                        inventory.walltimeLimit(job),
                        entitlement.priority(),
                        entitlement.level() == EntitlementLevel.GUARANTEED)
                .withAttributes(attributes(job))
                .withPlacement(job.detail().placement())
                .withOtherPartitions(others)
                .withTasks(tasks.map(StartableTasks::tasks).orElse(null), atATime(job));
        return ownPartition.isPresent() ? queued.inPartition(others.getFirst()) : queued;
    }

    /**
     * Other partitions in which it may start: those that its owner named, then those that its priority opens, if it meets their
     * limits. Tasks of an array start in their own partition only, unless the workload manager can move single tasks. A job that its own partition can never start waits for the first of them. After a failed start the job stays in its own
     * partition until the failure is forgotten, so that a refusal of another partition does not delay it there.
     */
    private List<PartitionName> others(final JobObserved job) {
        final Set<PartitionName> others = new LinkedHashSet<>(job.choice());
        final Entitlement entitlement = view.entitlement(job.job());
        others.addAll(entitlement == null ? List.of() : entitlement.otherPartitions());
        others.remove(job.partition());
        final Capability move = job.detail().array() == null ? Capability.MOVE : Capability.MOVE_TASKS;
        if (others.isEmpty() || !assumed.marker().capabilities().contains(move) || failedToStart(job)) {
            return List.of();
        }
        others.removeIf(other -> !inventory.accepts(job, other));
        return List.copyOf(others);
    }

    private boolean failedToStart(final JobObserved job) {
        return view.commands()
                .lastAnswer(new Action.Start(job.job()))
                .filter(last -> last.result() instanceof Result.Failed)
                .isPresent();
    }

    private Optional<Veto> veto(final JobObserved job) {
        return job.startVeto().or(() -> notEntitled(job));
    }

    private Optional<Veto> notEntitled(final JobObserved job) {
        final Entitlement entitlement = view.entitlement(job.job());
        if (entitlement == null) {
            return Optional.of(VetoCode.NO_ENTITLEMENT.veto("quota-service has not decided its entitlement yet"));
        }
        return entitlement.level() == EntitlementLevel.HELD ? Optional.of(entitlement.veto()) : Optional.empty();
    }

    private Optional<Veto> startBackoff(final JobObserved job) {
        final Action start = new Action.Start(job.job());
        if (job.detail().array() != null && view.commands().isUnanswered(start)) {
            // A revision may show that the tasks have left the record before the answer is read.
            inBackoff.add(job.job(), Optional.empty());
            return Optional.of(VetoCode.START_BACKOFF.veto("the agent has not answered its last start yet"));
        }
        final Optional<Pause> pause = backoff(job.job(), start);
        return nextTaskIsDue(job)
                ? Optional.empty()
                : pause.map(backoff ->
                        VetoCode.START_BACKOFF.veto("in back-off after its last start: " + backoff.reason()));
    }

    /** A start that was executed took some tasks of an array; the others need not wait until it has settled. */
    private boolean nextTaskIsDue(final JobObserved job) {
        return job.detail().array() != null
                && lastStart(job)
                        .filter(last -> job.tasks() > 1 || last.tasks() != null)
                        .isPresent();
    }

    /** The tasks that one command may start; empty if tasks are not named to this cluster's agent or in the entitlement. */
    private Optional<StartableTasks> tasks(final JobObserved job) {
        final ArrayTasks waiting = job.detail().array();
        final Entitlement entitlement = view.entitlement(job.job());
        if (waiting == null
                || entitlement == null
                || entitlement.tasks() == null
                || !job.isArrayRecord()
                || !waiting.isReadable()
                || !assumed.marker().capabilities().contains(Capability.START_TASKS)) {
            return Optional.empty();
        }
        final boolean settling = backoff(job.job(), new Action.Start(job.job())).isPresent();
        final String justStarted =
                settling ? lastStart(job).map(Result.Done::tasks).orElse(null) : null;
        return Optional.of(StartableTasks.of(waiting, entitlement.tasks(), justStarted));
    }

    /** How many waiting tasks may run at a time. */
    private static int atATime(final JobObserved job) {
        final ArrayTasks array = job.detail().array();
        final Integer slots = array == null ? null : array.freeSlots();
        return slots == null ? job.tasks() : Math.max(1, Math.min(slots, job.tasks()));
    }

    /** The last answer to a start, if it was executed. */
    private Optional<Result.Done> lastStart(final JobObserved job) {
        return view.commands()
                .lastAnswer(new Action.Start(job.job()))
                .map(Outcome::result)
                .filter(Result.Done.class::isInstance)
                .map(Result.Done.class::cast);
    }

    private Optional<Pause> backoff(final JobKey job, final Action action) {
        final Optional<Pause> pause = RETRY.pause(view.commands(), action, assumed.marker(), now);
        if (view.commands().lastAnswer(action).isPresent()) {
            inBackoff.add(job, pause);
        }
        return pause;
    }
}
