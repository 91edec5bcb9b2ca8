package io.millrace.agent.pbs;

import java.util.LinkedHashSet;
import java.util.Set;

/** Ids of jobs that were deleted on request and whose end is not logged yet. Jobs that were deleted before they ran have no end. */
public final class DeletedJobs {

    private static final int KEPT = 10_000;

    private final Set<String> ids = new LinkedHashSet<>();

    public void add(final String id) {
        if (ids.add(id) && ids.size() > KEPT) {
            ids.remove(ids.iterator().next());
        }
    }

    /** Whether the job was deleted. */
    public boolean remove(final String id) {
        return ids.remove(id);
    }
}
