package io.millrace.agent;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Checkpointing;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Requeueing;
import io.millrace.agent.wlm.Signalling;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Signals the application, waits for its marker while the job lives, then puts the job back, held. A job that ends meanwhile has ended; one
 * that does not answer in time runs on.
 */
final class TakeCheckpoint {

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final int LOOKS_PER_OBSERVATION = 5;

    private final WorkloadManager wlm;
    private final SettleEnds ends;
    private final Clock clock;

    TakeCheckpoint(final WorkloadManager wlm, final SettleEnds ends, final Clock clock) {
        this.wlm = wlm;
        this.ends = ends;
        this.clock = clock;
    }

    /** What a file is known by; a marker of an earlier checkpoint must not be taken for a new one. */
    private record Mark(@Nullable Object file, Instant modified, long size) {}

    Result run(final Action.Checkpoint order) throws InterruptedException {
        return order.method() instanceof CheckpointMethod.Application method
                ? run(new Order(order.job(), method.signal(), method.marker(), method.grace()))
                : Hand.failed("this agent cannot take a checkpoint by " + order.method());
    }

    private record Order(JobKey job, String signal, String marker, Duration grace) {}

    private Result run(final Order order) throws InterruptedException {
        return switch (((Checkpointing) wlm).directory(order.job())) {
            case Answer.Trouble<Path> trouble -> Hand.failed(trouble.because());
            case Answer.Ok<Path> directory -> {
                final Path marker = directory.value().resolve(order.marker());
                final Mark before = mark(marker);
                yield switch (((Signalling) wlm).signal(order.job(), order.signal())) {
                    case Answer.Trouble<Accepted> trouble -> Hand.failed(trouble.because());
                    case Answer.Ok<Accepted> ok -> await(order, marker, before);
                };
            }
        };
    }

    private Result await(final Order order, final Path marker, final @Nullable Mark before)
            throws InterruptedException {
        final Instant signalled = clock.instant();
        final Instant end = signalled.plus(order.grace());
        for (int look = 0; clock.instant().isBefore(end); look++) {
            final Mark now = mark(marker);
            if (now != null && !now.equals(before)) {
                return putBack(order, marker, signalled);
            }
            if (look % LOOKS_PER_OBSERVATION == 0 && !mayStillRun(order.job())) {
                return Hand.failed(
                        order.job() + " ended before it left '" + order.marker() + "': that is an end, no checkpoint");
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
        return Hand.failed("no '" + order.marker() + "' within " + order.grace().toSeconds() + " s after "
                + order.signal() + "; " + order.job() + " runs on");
    }

    private Result putBack(final Order order, final Path marker, final Instant signalled) {
        final JobObserved job = job(order.job());
        if (job == null || !(job.state() instanceof JobState.Running)) {
            return Hand.failed(order.job() + " left '" + order.marker() + "' and ended: that is an end, no checkpoint");
        }
        final Instant saved = clock.instant();
        ends.saved(
                order.job(),
                job.restarts() + 1,
                new CheckpointTaken("application", marker.toString(), signalled, saved));
        return switch (((Requeueing) wlm).requeueHeld(order.job())) {
            case Answer.Ok<Accepted> ok ->
                Hand.done("saved after " + Duration.between(signalled, saved).toMillis() + " ms, put back and held");
            case Answer.Trouble<Accepted> trouble -> {
                ends.notSaved(order.job());
                yield Hand.failed("saved, but not put back: " + trouble.because());
            }
        };
    }

    /** False only if the workload manager answered and the job does not run any more. */
    private boolean mayStillRun(final JobKey key) {
        return switch (wlm.observe()) {
            case Answer.Trouble<Observation> silent -> true;
            case Answer.Ok<Observation> seen ->
                seen.value().jobs().stream()
                        .anyMatch(job -> job.job().equals(key) && job.state() instanceof JobState.Running);
        };
    }

    private @Nullable JobObserved job(final JobKey key) {
        return wlm.observe() instanceof Answer.Ok<Observation> seen
                ? seen.value().jobs().stream()
                        .filter(job -> job.job().equals(key))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private static @Nullable Mark mark(final Path file) {
        try {
            final BasicFileAttributes found =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Mark(found.fileKey(), found.lastModifiedTime().toInstant(), found.size());
        } catch (final NoSuchFileException e) {
            return null;
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException("cannot look for the marker " + file, e);
        }
    }
}
