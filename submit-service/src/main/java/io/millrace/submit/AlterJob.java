package io.millrace.submit;

import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobAlteration;
import io.millrace.submit.domain.log.LogPosition;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes properties of a job that is not placed on a cluster yet. */
@ApplicationScoped
public class AlterJob {

    private static final Logger LOG = LoggerFactory.getLogger(AlterJob.class);

    private static final int CHECKS = 40;
    private static final long CHECK_INTERVAL_MS = 50;

    private final EventPublisher log;
    private final ReadModel model;
    private final WaitForProjection projection;
    private final Clock clock;

    AlterJob(final EventPublisher log, final ReadModel model, final WaitForProjection projection, final Clock clock) {
        this.log = log;
        this.model = model;
        this.projection = projection;
        this.clock = clock;
    }

    /**
     * Requests the change and waits for a moment until migration-service has applied it.
     *
     * @param validation of the change, for the job as it is
     * @throws RequestRefused if the job does not exist for the caller, the change is invalid, or the job is placed
     */
    public LogPosition alter(
            final Caller caller, final String idOrPrefix, final Function<GlobalJob, JobAlteration> validation) {
        final GlobalJob job = model.job(caller, idOrPrefix).stored().job();
        final JobAlteration change = validation.apply(job);
        requireNotPlaced(job);
        final LogPosition at = log.publish(new AlterRequested(
                job.id(),
                caller.user(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                change.name(),
                change.walltime(),
                change.cores(),
                change.partition(),
                change.priority()));
        LOG.atInfo()
                .addKeyValue("jobId", job.id())
                .addKeyValue("user", caller.user())
                .log("change requested");
        projection.passed(at);
        awaitEffect(caller, job, change);
        return at;
    }

    /** @throws RequestRefused if the job was placed before the change */
    private void awaitEffect(final Caller caller, final GlobalJob before, final JobAlteration change) {
        for (int i = 0; i < CHECKS; i++) {
            final GlobalJob now =
                    model.job(caller, before.id().value()).stored().job();
            if (change.isAppliedTo(now)) {
                return;
            }
            requireNotPlaced(now);
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
        if (job.state().isFinal()) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "job " + job.id() + " ended at " + job.since() + " ("
                            + job.state().word() + ") and cannot be changed");
        }
        if (!(job.state() instanceof GlobalJobState.Waiting)) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT,
                    "job " + job.id() + " is already placed on "
                            + Objects.requireNonNull(job.attempt()).cluster() + " ("
                            + job.state().word()
                            + "); only a job that waits for a cluster can be changed. Stop it and submit it again");
        }
    }
}
