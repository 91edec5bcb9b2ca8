package io.millrace.submit;

import static io.millrace.submit.PublishJobRequest.conflict;
import static io.millrace.submit.PublishJobRequest.requireUnfinished;

import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.LocalJobAlteration;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.domain.submission.JobAlteration;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes properties of a job that waits for a cluster, and walltime, name and cores of one in the queue of its cluster. */
@ApplicationScoped
public class AlterJob {

    private static final int CHECKS = 40;
    private static final long CHECK_INTERVAL_MS = 50;

    private final ReadModel model;
    private final AlterLocalJob localJobs;
    private final PublishJobRequest requests;
    private final CheckDependencies dependencies;
    private final Clock clock;

    AlterJob(
            final ReadModel model,
            final AlterLocalJob localJobs,
            final PublishJobRequest requests,
            final CheckDependencies dependencies,
            final Clock clock) {
        this.model = model;
        this.localJobs = localJobs;
        this.clock = clock;
        this.requests = requests;
        this.dependencies = dependencies;
    }

    /**
     * Requests the change and waits for a moment until migration-service has applied it. A placed job is changed on its cluster
     * first; then migration-service records it for further attempts.
     *
     * @param validation of the change, for the job as it is
     * @throws RequestRefused if the job does not exist for the caller, the change is invalid, or the job can no longer be changed like this
     */
    public LogPosition alter(
            final Caller caller, final String idOrPrefix, final Function<GlobalJob, JobAlteration> validation) {
        final Prepared prepared = prepare(caller, model.job(caller, idOrPrefix), validation);
        final GlobalJob job = prepared.job();
        if (prepared.local() != null) {
            localJobs.alter(caller, job, prepared.local());
        }
        final LogPosition at = requests.publish(caller, recorded(caller, prepared), "change requested");
        awaitEffect(caller, job, prepared.change());
        return at;
    }

    /**
     * A change that is possible.
     *
     * @param local what its agent is to change first; null for a job that waits for a cluster
     */
    record Prepared(
            GlobalJob job, JobAlteration change, @Nullable LocalJobAlteration local) {}

    /** @throws RequestRefused if the change is invalid, or the job can no longer be changed like this */
    Prepared prepare(
            final Caller caller,
            final ReadModel.JobDetails shown,
            final Function<GlobalJob, JobAlteration> validation) {
        final GlobalJob job = shown.stored().job();
        final JobAlteration change = validation.apply(job);
        if (change.dependency() != null) {
            dependencies.check(caller, change.dependency());
            dependencies.requireNoCycle(job, change.dependency());
        }
        if (shown.local() == null) {
            requireNotPlaced(job);
            return new Prepared(job, change, null);
        }
        return new Prepared(
                job, change, LocalJobAlteration.of(job, shown.local(), change, caller.operator(), clock.instant()));
    }

    /** What migration-service records. */
    AlterRequested recorded(final Caller caller, final Prepared prepared) {
        final JobAlteration change = prepared.change();
        return new AlterRequested(
                prepared.job().id(),
                caller.user(),
                requests.now(),
                change.name(),
                change.walltime(),
                change.cores(),
                change.partition(),
                change.priority(),
                change.dependency());
    }

    /** @throws RequestRefused if the job was placed before the change */
    private void awaitEffect(final Caller caller, final GlobalJob before, final JobAlteration change) {
        for (int i = 0; i < CHECKS; i++) {
            final GlobalJob now =
                    model.job(caller, before.id().value()).stored().job();
            if (change.isAppliedTo(now)) {
                return;
            }
            if (before.state() instanceof GlobalJobState.Waiting) {
                requireNotPlaced(now);
            }
            if (!paused()) {
                return;
            }
        }
    }

    private static boolean paused() {
        try {
            Thread.sleep(CHECK_INTERVAL_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void requireNotPlaced(final GlobalJob job) {
        requireUnfinished(job, "changed");
        if (!(job.state() instanceof GlobalJobState.Waiting)) {
            throw conflict(
                    job,
                    "is already placed on "
                            + Objects.requireNonNull(job.attempt()).cluster() + " ("
                            + job.state().word()
                            + ") and not in its queue yet; retry to change it there, or stop it and submit it again");
        }
    }
}
