package io.millrace.migration.domain.attempt;

import io.millrace.model.command.Result;
import java.util.Locale;

/** The answer to a command, as text for messages. */
final class ResultText {

    private ResultText() {}

    static String of(final Result result) {
        return switch (result) {
            case Result.Begun b -> "begun";
            case Result.Done d -> "done: " + d.detail();
            case Result.Refused r -> "refused (" + lower(r.refusal()) + "): " + r.reason();
            case Result.Failed f -> "failed: " + f.reason();
            case Result.Unclear u -> "unclear: " + u.reason();
        };
    }

    private static String lower(final Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
