package io.millrace.migration.domain.attempt;

import io.millrace.model.command.Result;

/** The answer to a command, as text for messages. */
final class ResultText {

    private ResultText() {}

    static String of(final Result result) {
        return switch (result) {
            case Result.Begun b -> "begun";
            case Result.Done d -> "done: " + d.detail();
            case Result.Refused r -> "refused (" + r.refusal().code() + "): " + r.reason();
            case Result.Failed f -> "failed: " + f.reason();
            case Result.Unclear u -> "unclear: " + u.reason();
        };
    }
}
