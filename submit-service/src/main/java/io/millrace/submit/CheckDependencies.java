package io.millrace.submit;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobDependency;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.StoredJob;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses dependencies on jobs that the caller cannot see, and those through which a job would wait for itself. */
@ApplicationScoped
public class CheckDependencies {

    private final ReadModel model;

    CheckDependencies(final ReadModel model) {
        this.model = model;
    }

    /**
     * @param dependency null for none
     * @throws RequestRefused if it names a job or batch that does not exist for the caller
     */
    void check(final Caller caller, final @Nullable JobDependency dependency) {
        if (dependency != null) {
            dependency.conditions().stream()
                    .filter(condition -> condition.end() != JobDependency.End.SINGLETON)
                    .forEach(condition -> requireKnown(caller, condition));
        }
    }

    private void requireKnown(final Caller caller, final JobDependency.Condition condition) {
        final BatchId batch = condition.batch();
        final GlobalJobId job = batch == null ? condition.job() : batch.job(1);
        if (job == null
                || model.accepted(job)
                        .filter(found -> caller.maySee(found.job().submission().owner()))
                        .isEmpty()) {
            throw RequestRefused.invalid(
                    "dependency",
                    "names " + (batch == null ? "job" : "batch") + " '" + condition.id() + "', which was not found");
        }
    }

    /** @throws RequestRefused if the job would wait for itself, directly or through other jobs */
    void requireNoCycle(final GlobalJob job, final JobDependency dependency) {
        requireNoCycle(job, dependency, new HashSet<>());
    }

    private void requireNoCycle(final GlobalJob job, final JobDependency dependency, final Set<String> seen) {
        for (final JobDependency.Condition condition : dependency.conditions()) {
            if (job.id().equals(condition.job())
                    || condition.batch() != null && BatchId.around(job.id()).equals(condition.batch())) {
                throw PublishJobRequest.conflict(
                        job, "would wait for itself with the dependency " + dependency + "; choose another one");
            }
            if (condition.job() != null && seen.add(condition.id())) {
                model.job(condition.job())
                        .map(StoredJob::job)
                        .filter(other -> !other.state().isFinal())
                        .map(other -> other.submission().dependency())
                        .ifPresent(next -> requireNoCycle(job, next, seen));
            }
        }
    }
}
