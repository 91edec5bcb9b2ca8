package io.millrace.quota.domain.view;

import io.millrace.model.GlobalJobId;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSubmitted;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A global job that waits for a cluster, without its script: thousands of them may wait, and every shard remembers all. */
public record UnplacedJob(
        GlobalJobId job,
        UserName owner,
        String name,
        @Nullable ProjectName project,
        Resources resources,
        Duration walltime,
        CheckpointMethod checkpoint,
        Instant submittedAt) {

    public static UnplacedJob of(final JobSubmitted submission) {
        return new UnplacedJob(
                submission.job(),
                submission.owner(),
                submission.spec().name(),
                submission.spec().project(),
                submission.spec().resources(),
                submission.spec().walltime(),
                submission.spec().checkpoint(),
                submission.submittedAt());
    }
}
