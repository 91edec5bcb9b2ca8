package io.millrace.model.transfer;

import io.millrace.model.AttemptId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * A transfer and its state.
 *
 * @param attempt the placement it serves
 * @param owner the owner of the files; all files are read and written as this user
 */
public record Transfer(
        TransferId id, AttemptId attempt, UserName owner, Place from, Place to, TransferState state, Instant since)
        implements Event {

    @Override
    public String key() {
        return id.value();
    }
}
