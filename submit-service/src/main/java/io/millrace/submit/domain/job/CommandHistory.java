package io.millrace.submit.domain.job;

import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A command with its outcomes; at least one of the three is not null.
 *
 * @param command null if only the outcome is known (the log keeps both for seven days)
 */
public record CommandHistory(
        @Nullable Command command,
        @Nullable Outcome begun,
        @Nullable Outcome answer) {}
