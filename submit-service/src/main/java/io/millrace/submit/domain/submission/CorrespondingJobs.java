package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobDependency;
import io.millrace.submit.domain.RequestRefused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs of a batch by index, for {@code aftercorr}: each job of another batch depends on the one with its own index. */
public final class CorrespondingJobs {

    private final BatchId batch;
    private final Map<Integer, GlobalJobId> byIndex = new HashMap<>();

    private CorrespondingJobs(final BatchId batch) {
        this.batch = batch;
    }

    /** @param jobs those of the batch */
    public static CorrespondingJobs of(final List<GlobalJob> jobs, final BatchId batch) {
        final CorrespondingJobs all = new CorrespondingJobs(batch);
        for (final GlobalJob job : jobs) {
            final BatchMember member = job.submission().batch();
            if (member != null) {
                all.byIndex.put(member.index(), job.id());
            }
        }
        return all;
    }

    /**
     * The dependency of one job.
     *
     * @param common what all jobs of its batch depend on; null for nothing
     * @throws RequestRefused if one of the other batches has no job with this index
     */
    public static @Nullable JobDependency add(
            final @Nullable JobDependency common, final List<CorrespondingJobs> others, final int index) {
        if (others.isEmpty()) {
            return common;
        }
        final List<JobDependency.Condition> conditions =
                new ArrayList<>(common == null ? List.of() : common.conditions());
        others.forEach(other -> conditions.add(JobDependency.Condition.on(other.at(index), JobDependency.End.OK)));
        return new JobDependency(true, conditions);
    }

    private GlobalJobId at(final int index) {
        final GlobalJobId job = byIndex.get(index);
        if (job == null) {
            throw RequestRefused.invalid(
                    "dependency",
                    "aftercorr requires a job with index " + index + " in batch '" + batch
                            + "', which has none; submit the same indices");
        }
        return job;
    }
}
