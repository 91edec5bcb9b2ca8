package io.millrace.agent.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Action;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of jobs submitted by Millrace that a workload manager does not keep: owner and project by their site names, and the checkpoint
 * method. They come from submissions and from published jobs, and are found by the tag of the job.
 */
public final class SubmittedJobs {

    /** More attempts than a cluster has at a time; older ones are published and read from there. */
    private static final int KEPT = 100_000;

    private record Known(UserName owner, @Nullable ProjectName project, CheckpointMethod checkpoint) {}

    private final Map<AttemptId, Known> known = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<AttemptId, Known> eldest) {
            return size() > KEPT;
        }
    };

    public void learn(final Action.Submit submit) {
        known.put(
                submit.attempt(),
                new Known(submit.owner(), submit.spec().project(), submit.spec().checkpoint()));
    }

    /** Records a published job, unless its submission is known. */
    public void learn(final JobObserved job) {
        if (job.attempt() != null) {
            known.putIfAbsent(job.attempt(), new Known(job.owner(), job.project(), job.checkpoint()));
        }
    }

    /** Whether the attempt is known. */
    public boolean knows(final @Nullable AttemptId attempt) {
        return attempt != null && known.containsKey(attempt);
    }

    /** The job with the attributes of its submission; jobs not submitted by Millrace are unchanged. */
    public JobObserved complete(final JobObserved seen) {
        final Known found = seen.attempt() == null ? null : known.get(seen.attempt());
        if (found == null) {
            return seen;
        }
        final JobObserved its = seen.of(found.owner(), found.project() == null ? seen.project() : found.project());
        return seen.checkpoint() instanceof CheckpointMethod.None ? its.with(found.checkpoint()) : its;
    }
}
