package io.millrace.submit.domain.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects jobs for a list.
 *
 * @param owner null: all users
 * @param states names of states; empty: all
 * @param after the last job of the previous page
 * @param limit jobs per page
 */
public record JobFilter(
        @Nullable UserName owner,
        Set<String> states,
        @Nullable GlobalJobId after,
        int limit) {

    public JobFilter {
        states = Set.copyOf(states);
    }
}
