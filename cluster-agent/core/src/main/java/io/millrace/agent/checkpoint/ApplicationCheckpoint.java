package io.millrace.agent.checkpoint;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.ApplicationCheckpointing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.IfLate;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The application saves itself: it is signalled, and says by its marker that it is done while it still lives. A job that exits is
 * finished, unless it exits with its workload manager's requeue code and waits again; then its marker tells whether it saved anything.
 */
public final class ApplicationCheckpoint {

    private static final Duration LOOK_EVERY = Duration.ofMillis(400);
    private static final int LOOKS_PER_OBSERVATION = 3;

    private final WorkloadManager wlm;
    private final CheckpointRequeue cut;
    private final Function<UserName, Runner> rights;
    private final Clock clock;

    /** @param rights runs what is asked with the rights of this account */
    public ApplicationCheckpoint(
            final WorkloadManager wlm, final CheckpointRequeue cut, final Function<UserName, Runner> rights, final Clock clock) {
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
            Instant asked) {}

    CheckpointAttempt run(final JobObserved job, final CheckpointMethod.Application method, final Instant validUntil)
            throws InterruptedException {
        final Answer<Order> ready = ((ApplicationCheckpointing) wlm)
                .directory(job.job())
                .map(directory -> directory.resolve(method.marker()))
                .then(marker -> mark(job, marker)
                        .then(before -> ((Signalling) wlm)
                                .signal(job.job(), method.signal())
                                .map(sent -> new Order(job, method, marker, before.orElse(null), clock.instant()))));
        return switch (ready) {
            case Answer.Trouble<Order> trouble -> new CheckpointAttempt.NotSaved(trouble.because(), true);
            case Answer.Ok<Order> order -> await(order.value(), validUntil);
        };
    }

    private CheckpointAttempt await(final Order order, final Instant validUntil) throws InterruptedException {
        final Instant late = order.asked().plus(order.method().grace());
        final Instant end = order.method().ifLate() == IfLate.WAIT && validUntil.isAfter(late) ? validUntil : late;
        for (int look = 0; clock.instant().isBefore(end); look++) {
            final MarkerFileQuery.Mark marked = fresh(order);
            if (marked != null) {
                return new CheckpointAttempt.Answered(cut.requeueSaved(order.job(), taken(order, marked)));
            }
            if (look % LOOKS_PER_OBSERVATION == 0) {
                final Optional<CheckpointAttempt> over = overMeanwhile(order);
                if (over.isPresent()) {
                    return over.get();
                }
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
        return new CheckpointAttempt.NotSaved(
                "no '" + order.method().marker() + "' within "
                        + Duration.between(order.asked(), end).toSeconds() + " s after "
                        + order.method().signal() + "; " + order.job().job() + " runs on",
                true);
    }

    /** Empty if the job still runs, or the workload manager does not answer. */
    private Optional<CheckpointAttempt> overMeanwhile(final Order order) throws InterruptedException {
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
                    order.job().job() + " ended while it was to save itself: that is an end, no checkpoint", false));
        }
        final MarkerFileQuery.Mark marked = fresh(order);
        return Optional.of(
                marked == null
                        ? new CheckpointAttempt.NotSaved(
                                order.job().job() + " put itself back without leaving '" + marker + "'", false)
                        : new CheckpointAttempt.Answered(cut.requeuedItself(order.job(), taken(order, marked))));
    }

    /** The file's own time where it can be true: its clock is that of the node or of a file server. */
    private CheckpointTaken taken(final Order order, final MarkerFileQuery.Mark marked) {
        final Instant now = clock.instant();
        final boolean plausible =
                !marked.modified().isBefore(order.asked()) && !marked.modified().isAfter(now);
        return new CheckpointTaken(
                "application", order.marker().toString(), order.asked(), plausible ? marked.modified() : now);
    }

    /** The marker, if it is another one than before. */
    private MarkerFileQuery.@Nullable Mark fresh(final Order order) {
        return mark(order.job(), order.marker()) instanceof Answer.Ok<Optional<MarkerFileQuery.Mark>> found
                ? found.value().filter(mark -> !mark.equals(order.before())).orElse(null)
                : null;
    }

    private Answer<Optional<MarkerFileQuery.Mark>> mark(final JobObserved job, final Path marker) {
        return rights.apply(job.owner()).run(new MarkerFileQuery(marker.toString()));
    }
}
