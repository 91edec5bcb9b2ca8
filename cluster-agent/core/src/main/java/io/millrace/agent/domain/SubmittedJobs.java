package io.millrace.agent.domain;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
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
    private static final int KEPT = 1_000_000;

    /**
     * @param account the owner's account on this cluster
     * @param published the local job; null for a submission whose job has not been published
     */
    private record Known(
            UserName owner,
            UserName account,
            @Nullable ProjectName project,
            CheckpointMethod checkpoint,
            @Nullable JobKey published) {}

    /** In the order of the last access, so that jobs in the queue are kept. */
    private final Map<AttemptId, Known> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<AttemptId, Known> eldest) {
            return size() > KEPT;
        }
    };

    public void learn(final Action.Submit submit, final UserName account) {
        known.put(
                submit.attempt(),
                new Known(
                        submit.owner(),
                        account,
                        submit.spec().project(),
                        submit.spec().checkpoint(),
                        null));
    }

    /** Records a published job, unless its submission is known. */
    public void learn(final JobObserved job, final UserName account) {
        if (job.attempt() != null) {
            known.putIfAbsent(
                    job.attempt(), new Known(job.owner(), account, job.project(), job.checkpoint(), job.job()));
        }
    }

    /**
     * Whether the agent submitted this attempt for this account. A tag alone proves nothing: users can submit a job with the tag of any
     * attempt, but not as another user.
     *
     * @param account owner of the job in the workload manager
     */
    public boolean isSubmitted(final @Nullable AttemptId attempt, final JobKey job, final UserName account) {
        final Known found = attempt == null ? null : known.get(attempt);
        return found != null && (account.equals(found.account()) || job.equals(found.published()));
    }

    /** The project of a submission, by its site name; null if it has none, or is not known. */
    public @Nullable ProjectName project(final @Nullable AttemptId attempt) {
        final Known found = attempt == null ? null : known.get(attempt);
        return found == null ? null : found.project();
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
