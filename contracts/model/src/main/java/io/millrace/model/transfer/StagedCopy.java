package io.millrace.model.transfer;

import io.millrace.model.AttemptId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * The copy of a job's directory on a cluster other than its own, after the job has ended, and its state.
 *
 * @param attempt the placement that used the copy
 * @param owner the job's owner; the copy is removed with this account
 * @param signature of the submission, which authorizes the removal
 */
public record StagedCopy(
        AttemptId attempt, UserName owner, Place place, StagedCopyState state, Instant since, String signature)
        implements Event {

    public StagedCopy withState(final StagedCopyState next, final Instant now) {
        return new StagedCopy(attempt, owner, place, next, now, signature);
    }

    @Override
    public String key() {
        return attempt + "/staged";
    }
}
