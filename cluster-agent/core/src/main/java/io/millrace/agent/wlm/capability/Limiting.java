package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps by itself how many cores are a user's own. */
public interface Limiting {

    /**
     * Sets the figure of one user, leaves those of all others as they are, and reads it back.
     *
     * @param cores null: none for this user
     */
    Answer<Accepted> setLimit(UserName user, @Nullable Integer cores);

    /** The figures in force, by user. */
    Answer<Map<UserName, Integer>> limits();

    /** Whether nothing is left to be done for this figure; what takes several steps may have been cut off between two of them. */
    default Answer<Boolean> isLimitSet(final UserName user, final @Nullable Integer cores) {
        return limits().map(limits -> Objects.equals(limits.get(user), cores));
    }
}
