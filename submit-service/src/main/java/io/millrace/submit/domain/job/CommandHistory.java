package io.millrace.submit.domain.job;

import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A command and what became of it; at least one of the three is there.
 *
 * @param command null if only its outcome is known (the log keeps both seven days)
 */
public record CommandHistory(
        @Nullable Command command,
        @Nullable Outcome begun,
        @Nullable Outcome answer) {}
