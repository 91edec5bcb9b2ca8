package io.millrace.agent.checkpoint;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.CheckpointTimeoutAction;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Command;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoint by the application: the job gets a signal and writes a marker file when it has saved its state, while it still runs.
 *
 * <p>A job that exits has finished, unless it exits with the requeue code of its workload manager and waits again. In that case the marker
 * shows whether it has saved its state.
 */
public final class ApplicationCheckpoint {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(400);
    private static final int POLLS_PER_OBSERVATION = 3;

    private final WorkloadManager wlm;
    private final CheckpointRequeue cut;
    private final Function<UserName, Runner> rights;
    private final Clock clock;

    /** @param rights runs commands with the rights of this account */
    public ApplicationCheckpoint(
            final WorkloadManager wlm,
            final CheckpointRequeue cut,
            final Function<UserName, Runner> rights,
            final Clock clock) {
        this.wlm = wlm;
        this.cut = cut;
        this.rights = rights;
        this.clock = clock;
    }

    private record Order(
            JobObserved job,
            CheckpointMethod.Application method,
            Path marker,
            MarkerFileQuery.@Nullable Mark before,
            Instant asked,
            Command command) {}

    CheckpointAttempt run(final JobObserved job, final CheckpointMethod.Application method, final Command command)
            throws InterruptedException {
        final Answer<Order> ready = wlm.get(ApplicationCheckpointing.class)
                .directory(job.job())
                .map(directory -> directory.resolve(method.marker()))
                .then(marker -> mark(job, marker)
                        .then(before -> wlm.get(Signalling.class)
                                .signal(job.job(), method.signal())
                                .map(sent -> new Order(
                                        job, method, marker, before.orElse(null), clock.instant(), command))));
        return switch (ready) {
            case Answer.Trouble<Order> trouble -> new CheckpointAttempt.NotSaved(trouble.reason(), true);
            case Answer.Ok<Order> order -> await(order.value());
        };
    }

    private CheckpointAttempt await(final Order order) throws InterruptedException {
        final Instant late = order.asked().plus(order.method().grace());
        final Instant validUntil = order.command().validUntil();
        final Instant end = order.method().onTimeout() == CheckpointTimeoutAction.WAIT && validUntil.isAfter(late)
                ? validUntil
                : late;
        for (int poll = 0; clock.instant().isBefore(end); poll++) {
            final MarkerFileQuery.Mark marked = fresh(order);
            if (marked != null) {
                return new CheckpointAttempt.Answered(
                        cut.requeueSaved(order.job(), taken(order, marked), saved(order)));
            }
            if (poll % POLLS_PER_OBSERVATION == 0) {
                final Optional<CheckpointAttempt> over = endedDuringCheckpoint(order);
                if (over.isPresent()) {
                    return over.get();
                }
            }
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
        return new CheckpointAttempt.NotSaved(
                "no '" + order.method().marker() + "' within "
                        + Duration.between(order.asked(), end).toSeconds() + " s after "
                        + order.method().signal() + "; " + order.job().job() + " is still running",
                true);
    }

    /** Empty if the job is still running or the workload manager does not answer. */
    private Optional<CheckpointAttempt> endedDuringCheckpoint(final Order order) throws InterruptedException {
        if (!(wlm.observe() instanceof Answer.Ok<Observation> seen)) {
            return Optional.empty();
        }
        final JobObserved now = CheckpointRequeue.find(seen.value(), order.job().job());
        if (now != null
                && now.state() instanceof JobState.Running
                && now.restarts() == order.job().restarts()) {
            return Optional.empty();
        }
        final String marker = order.method().marker();
        if (now == null || now.restarts() == order.job().restarts()) {
            return Optional.of(new CheckpointAttempt.NotSaved(
                    order.job().job() + " ended during the checkpoint; it is treated as ended, not as checkpointed",
                    false));
        }
        final MarkerFileQuery.Mark marked = fresh(order);
        return Optional.of(
                marked == null
                        ? new CheckpointAttempt.NotSaved(
                                order.job().job() + " requeued itself without writing '" + marker + "'", false)
                        : new CheckpointAttempt.Answered(
                                cut.requeuedItself(order.job(), taken(order, marked), saved(order))));
    }

    private static UserSentence saved(final Order order) {
        return UserSentence.of(order.command(), "checkpointed and requeued");
    }

    /** The time of the file if it is plausible; the clock of the node or file server may differ. */
    private CheckpointTaken taken(final Order order, final MarkerFileQuery.Mark marked) {
        final Instant now = clock.instant();
        final boolean plausible =
                !marked.modified().isBefore(order.asked()) && !marked.modified().isAfter(now);
        return new CheckpointTaken(
                "application", order.marker().toString(), order.asked(), plausible ? marked.modified() : now);
    }

    /** The marker if it differs from the one before the signal. */
    private MarkerFileQuery.@Nullable Mark fresh(final Order order) {
        return mark(order.job(), order.marker()) instanceof Answer.Ok<Optional<MarkerFileQuery.Mark>> found
                ? found.value().filter(mark -> !mark.equals(order.before())).orElse(null)
                : null;
    }

    private Answer<Optional<MarkerFileQuery.Mark>> mark(final JobObserved job, final Path marker) {
        return rights.apply(job.owner()).run(new MarkerFileQuery(marker.toString()));
    }
}
