package io.millrace.model.policy;

import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;

/**
 * An operator locked a user or unlocked them again. While a user is locked, tokens of the user are refused and agents do not act with the
 * user's rights.
 *
 * @param locked false: the user is unlocked
 * @param author the operator
 */
public record UserLock(UserName user, boolean locked, UserName author, String reason, Instant changedAt)
        implements Event {

    /** Why nothing is done for the user; only for a lock. */
    public String refusal() {
        return "user '" + user + "' is locked (" + reason + "); ask the operators";
    }

    @Override
    public String key() {
        return user.value();
    }
}
