package io.millrace.quota;

import io.millrace.model.GlobalJobId;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.quota.domain.view.UnplacedJob;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Global jobs that are not yet placed, and whose owners leave the choice of the cluster to Millrace. */
final class UnplacedJobs {

    private final Map<GlobalJobId, UnplacedJob> byId = new HashMap<>();
    private final NavigableSet<UnplacedJob> byAge = new TreeSet<>(Comparator.comparing(UnplacedJob::submittedAt)
            .thenComparing(job -> job.job().value()));

    /**
     * Applies the state of a global job.
     *
     * @param job null is a tombstone
     * @return whether it has joined or left these jobs
     */
    boolean apply(final GlobalJobId id, final @Nullable GlobalJob job) {
        final UnplacedJob before = byId.remove(id);
        if (before != null) {
            byAge.remove(before);
        }
        if (job != null
                && job.state() instanceof GlobalJobState.Waiting
                && job.submission().target() == null) {
            final UnplacedJob unplaced = UnplacedJob.of(job.submission());
            byId.put(id, unplaced);
            byAge.add(unplaced);
        }
        return before != null != byId.containsKey(id);
    }

    Collection<UnplacedJob> oldestFirst() {
        return Collections.unmodifiableCollection(byAge);
    }
}
