package io.millrace.model.transfer;

import io.millrace.model.AttemptId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transfer and its state.
 *
 * @param attempt the placement it serves
 * @param owner the owner of the files; all files are read and written as this user
 * @param keepChangedSince files at the destination that changed at or after this time are not overwritten; null: all are
 * @param filter which files are copied; null: all
 * @param signature of the submission, which authorizes the copy
 */
public record Transfer(
        TransferId id,
        AttemptId attempt,
        UserName owner,
        Place from,
        Place to,
        TransferState state,
        Instant since,
        @Nullable Instant keepChangedSince,
        @Nullable List<FilterRule> filter,
        String signature)
        implements Event {

    public Transfer {
        filter = FilterRule.orNull(filter);
    }

    /** A transfer of all files. */
    public Transfer(
            final TransferId id,
            final AttemptId attempt,
            final UserName owner,
            final Place from,
            final Place to,
            final TransferState state,
            final Instant since,
            final String signature) {
        this(id, attempt, owner, from, to, state, since, null, null, signature);
    }

    public Transfer withState(final TransferState next, final Instant now) {
        return new Transfer(id, attempt, owner, from, to, next, now, keepChangedSince, filter, signature);
    }

    @Override
    public String key() {
        return id.value();
    }
}
