package io.millrace.migration.domain.job;

import io.millrace.model.job.JobDependency.Condition;
import java.util.List;

/** Whether the jobs that another one depends on have ended as it requires. */
sealed interface DependencyVerdict {

    /** The job may be placed. */
    record Satisfied() implements DependencyVerdict {}

    /** @param conditions those that are not satisfied yet */
    record Pending(List<Condition> conditions) implements DependencyVerdict {}

    /** @param condition one that can never be satisfied */
    record Never(Condition condition, String reason) implements DependencyVerdict {}
}
