package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.job.JobDependency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the jobs of a request wait for.
 *
 * @param dependency the same for each job; null for none
 * @param corresponding batches of which each job waits for the job with its own index ({@code aftercorr})
 */
record RequestedDependency(@Nullable JobDependency dependency, List<BatchId> corresponding) {

    static final RequestedDependency NONE = new RequestedDependency(null, List.of());

    RequestedDependency {
        corresponding = List.copyOf(corresponding);
    }
}
