package io.millrace.decide;

import io.millrace.model.Backoff;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.command.Action;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a decision may be tried again after its command was answered. A refusal as stale ends with the next revision; the pauses after a
 * failure double.
 *
 * @param backoff pauses after failures
 */
public record RetryPolicy(Backoff backoff) {

    /** More consecutive stale refusals than this count as a failure. */
    private static final int PATIENCE = 3;

    /** A revision shows an executed start within this time; until then, the job may still appear to be waiting. */
    private static final Duration SETTLING = Duration.ofSeconds(10);

    /**
     * A pause before the next try, with its reason.
     *
     * @param until {@link Instant#MAX}: until a revision is closed that was observed after the answer
     */
    public record Pause(Instant until, String reason) {
        public boolean endsWithARevision() {
            return until.equals(Instant.MAX);
        }
    }

    /** The pause in force now; empty if the action may be tried. */
    public Optional<Pause> pause(
            final CommandView commands, final Action action, final RevisionClosed marker, final Instant now) {
        final int setbacks = commands.setbacks(action);
        return commands.lastAnswer(action)
                .flatMap(last -> pauseAfter(last, setbacks, marker))
                .filter(pause -> pause.until().isAfter(now));
    }

    private Optional<Pause> pauseAfter(final Outcome last, final int setbacks, final RevisionClosed marker) {
        return switch (last.result()) {
            case Result.Begun begun -> Optional.empty();
            case Result.Done done -> Optional.of(new Pause(last.answeredAt().plus(SETTLING), done.detail()));
            case Result.Refused refused -> afterRefusal(last, refused, setbacks, marker);
            case Result.Failed failed ->
                Optional.of(new Pause(last.answeredAt().plus(backoff.after(setbacks)), failed.reason()));
            case Result.Unclear unclear ->
                Optional.of(new Pause(last.answeredAt().plus(backoff.after(setbacks)), unclear.reason()));
        };
    }

    private Optional<Pause> afterRefusal(
            final Outcome last, final Result.Refused refused, final int setbacks, final RevisionClosed marker) {
        final boolean viewWasOld = refused.refusal() == Refusal.STALE || refused.refusal() == Refusal.EXPIRED;
        if (!viewWasOld || setbacks > PATIENCE) {
            return Optional.of(new Pause(last.answeredAt().plus(backoff.after(setbacks)), refused.reason()));
        }
        return marker.observedAt().isAfter(last.answeredAt())
                ? Optional.empty()
                : Optional.of(new Pause(Instant.MAX, refused.reason()));
    }
}
