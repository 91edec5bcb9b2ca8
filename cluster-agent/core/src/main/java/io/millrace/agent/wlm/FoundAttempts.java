package io.millrace.agent.wlm;

import io.millrace.agent.wlm.capability.AttemptFinding.Found;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The jobs of some attempts, found by going through all jobs. */
public final class FoundAttempts {

    private final Map<AttemptId, UserName> owners;
    private final Map<AttemptId, Map<JobKey, Found>> found = new LinkedHashMap<>();

    /** @param owners account of the jobs of each attempt */
    public FoundAttempts(final Map<AttemptId, UserName> owners) {
        this.owners = owners;
        owners.keySet().forEach(attempt -> found.put(attempt, new LinkedHashMap<>()));
    }

    /** Whether a job with this tag belongs to one of the attempts. A job of another account has a forged tag. */
    public boolean includes(final @Nullable AttemptId tag, final UserName owner) {
        return tag != null && owner.equals(owners.get(tag));
    }

    /**
     * Adds a job of one of the attempts; it replaces what an older source said of it.
     *
     * @param ended whether the job has left the queue
     */
    public void add(final AttemptId attempt, final JobKey job, final boolean ended) {
        found.computeIfAbsent(attempt, key -> new LinkedHashMap<>()).put(job, new Found(job, ended));
    }

    /** By attempt, in the order of submission. */
    public Map<AttemptId, List<Found>> inOrder() {
        return found.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> inOrder(entry.getValue().values())));
    }

    private static List<Found> inOrder(final Collection<Found> jobs) {
        return jobs.stream()
                .sorted(Comparator.comparing((Found one) -> one.job().submittedAt())
                        .thenComparing(one -> one.job().toString()))
                .toList();
    }
}
