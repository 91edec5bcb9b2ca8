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
 * What a workload manager does not keep of the jobs that Millrace handed in: the site's name of their owner and project, and how they
 * are checkpointed. Learnt from submissions and from what stands on the log; found again by the tag that the job carries.
 */
public final class SubmittedJobs {

    /** More attempts than a cluster holds at a time; the oldest of them are on the log, and learnt from there. */
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

    /** Takes what stands on the log, unless more is known of it. */
    public void learn(final JobObserved said) {
        if (said.attempt() != null) {
            known.putIfAbsent(said.attempt(), new Known(said.owner(), said.project(), said.checkpoint()));
        }
    }

    /** A job that is over. */
    public void forget(final AttemptId attempt) {
        known.remove(attempt);
    }

    /** Whether anything is known of it. */
    public boolean knows(final @Nullable AttemptId attempt) {
        return attempt != null && known.containsKey(attempt);
    }

    /** The job as its owner handed it in; a job that nobody handed in through Millrace is left as it is. */
    public JobObserved complete(final JobObserved seen) {
        final Known found = seen.attempt() == null ? null : known.get(seen.attempt());
        if (found == null) {
            return seen;
        }
        final JobObserved its = seen.of(found.owner(), found.project() == null ? seen.project() : found.project());
        return seen.checkpoint() instanceof CheckpointMethod.None ? its.with(found.checkpoint()) : its;
    }
}
