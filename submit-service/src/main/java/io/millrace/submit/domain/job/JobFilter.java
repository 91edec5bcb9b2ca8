package io.millrace.submit.domain.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list.
 *
 * @param owner null: everybody's
 * @param states words of the states; empty: all
 * @param after the last job of the page before
 * @param limit jobs on a page
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
