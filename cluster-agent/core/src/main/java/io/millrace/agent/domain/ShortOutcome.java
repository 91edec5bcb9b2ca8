package io.millrace.agent.domain;

import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;

/** An outcome that fits into a record: what a decision needs, and the beginning of its texts. */
public final class ShortOutcome {

    private static final int MOST_CHARACTERS = 1000;

    private ShortOutcome() {}

    public static Outcome of(final Outcome outcome) {
        return new Outcome(
                outcome.command(),
                outcome.cluster(),
                outcome.issuer(),
                outcome.action(),
                outcome.subject(),
                outcome.answeredAt(),
                shortened(outcome.result()));
    }

    private static Result shortened(final Result result) {
        return switch (result) {
            case Result.Begun begun -> begun;
            case Result.Done done ->
                done.dryRun() == null
                        ? new Result.Done(done.job(), shortened(done.detail()), null, done.tasks(), done.preempted())
                        : new Result.Failed(
                                "what the cluster would run is too large to be shown, or is not valid Unicode;"
                                        + " shorten the script");
            case Result.Refused refused -> new Result.Refused(refused.refusal(), shortened(refused.reason()));
            case Result.Failed failed ->
                new Result.Failed(shortened(failed.reason()), failed.code(), failed.whileUnchanged());
            case Result.Unclear unclear -> new Result.Unclear(shortened(unclear.reason()));
        };
    }

    private static String shortened(final String text) {
        return BoundedText.of(text, MOST_CHARACTERS);
    }
}
