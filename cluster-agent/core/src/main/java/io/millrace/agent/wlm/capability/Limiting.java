package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Enforces limits on the cores of a user. */
public interface Limiting {

    /**
     * Sets the limit of one user and reads it back. The limits of other users do not change.
     *
     * @param cores the limit; null: none for this user
     */
    Answer<Accepted> setLimit(UserName user, @Nullable Integer cores);

    /** The current limits, by user. */
    Answer<Map<UserName, Integer>> limits();

    /** Whether this limit is set completely. A change that takes several steps may have been interrupted between two of them. */
    default Answer<Boolean> isLimitSet(final UserName user, final @Nullable Integer cores) {
        return limits().map(limits -> Objects.equals(limits.get(user), cores));
    }
}
