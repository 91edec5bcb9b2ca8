package io.millrace.model.transfer;

import io.millrace.model.AttemptId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * A transfer and how far it is.
 *
 * @param attempt the placement it serves
 * @param owner whose files they are; every byte is read and written with this user's rights
 */
public record Transfer(
        TransferId id, AttemptId attempt, UserName owner, Place from, Place to, TransferState state, Instant since)
        implements Event {

    @Override
    public String key() {
        return id.value();
    }
}
