package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs of a class may be moved (Bychkov et al. 2013, section 3): to a suitable cluster, if the run time there stays in the range of
 * the class.
 *
 * @param clusters suitable ones; empty: all
 * @param shortestSeconds the least run time of the class; null: none
 * @param longestSeconds the greatest run time of the class; null: none
 * @param limitSeconds the greatest run time of a moved job; null: none. The paper allows one day to its two large classes
 */
public record ClassPlacement(
        String jobClass,
        List<ClusterId> clusters,
        @Nullable Long shortestSeconds,
        @Nullable Long longestSeconds,
        @Nullable Long limitSeconds) {

    public ClassPlacement {
        clusters = List.copyOf(clusters);
    }
}
