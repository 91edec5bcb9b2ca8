package io.millrace.submit.identity;

import io.millrace.model.UserName;
import io.millrace.model.policy.UserLock;
import io.millrace.submit.domain.RequestRefused;
import java.util.List;
import java.util.Optional;

/** The users that operators have locked. */
public interface UserLocks {

    /** The last change of a user; empty if the user was never locked. */
    Optional<UserLock> lastChange(UserName user);

    List<UserLock> locked();

    /** Whether the log has been read, so that the answers are complete. */
    boolean areKnown();

    /** @throws RequestRefused if the user is locked, or it is not known yet */
    default void requireUnlocked(final UserName user) {
        if (!areKnown()) {
            throw new RequestRefused(
                    RequestRefused.Kind.UNAVAILABLE, "the locks of users have not been read from the log yet; retry");
        }
        lastChange(user).filter(UserLock::locked).ifPresent(lock -> {
            throw new RequestRefused(RequestRefused.Kind.FORBIDDEN, lock.refusal());
        });
    }
}
