package io.millrace.submit;

import io.millrace.model.UserName;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.SubmissionEvent;
import io.millrace.model.policy.UserLock;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.identity.UserLocks;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * S-6: locks a user at once and everywhere. Their tokens and submissions are refused, agents do not act for them, and their jobs that have not
 * started are held.
 */
@ApplicationScoped
public class LockUser {

    private static final Logger LOG = LoggerFactory.getLogger(LockUser.class);
    private static final String WHAT = "locking a user";
    /** Begins the reason of a hold; by it, unlocking finds the jobs to release. */
    private static final String HELD = "user locked: ";

    private static final long CHECK_INTERVAL_MS = 20;

    private final EventPublisher log;
    private final UserLocks locks;
    private final ReadModel model;
    private final HoldJob holds;
    private final StopJob stops;
    private final SubmitSettings settings;
    private final Clock clock;

    LockUser(
            final EventPublisher log,
            final UserLocks locks,
            final ReadModel model,
            final HoldJob holds,
            final StopJob stops,
            final SubmitSettings settings,
            final Clock clock) {
        this.log = log;
        this.locks = locks;
        this.model = model;
        this.holds = holds;
        this.stops = stops;
        this.settings = settings;
        this.clock = clock;
    }

    /** @param jobs the number of jobs that are held, stopped or released with the change */
    public record Changed(UserLock lock, int jobs) {}

    /** @throws RequestRefused if the caller is not an operator */
    public List<UserLock> locked(final Caller caller) {
        caller.requireOperator("listing locked users");
        return locks.locked();
    }

    /**
     * Repeating it holds or stops jobs that were accepted meanwhile.
     *
     * @param stopJobs whether to stop all jobs, also running ones; false: hold those that have not started
     * @throws RequestRefused if the caller is not an operator, or the user is the caller
     */
    public Changed lock(
            final Caller caller, final UserName user, final @Nullable String reason, final boolean stopJobs) {
        caller.requireOperator(WHAT);
        if (caller.user().equals(user)) {
            throw new RequestRefused(
                    RequestRefused.Kind.CONFLICT, "'" + user + "' cannot lock themselves; ask another operator");
        }
        final UserLock lock = change(caller, user, true, ReasonText.required(reason));
        return new Changed(
                lock,
                publish(user, job -> stopJobs ? stop(caller, job, lock.reason()) : hold(caller, job, lock.reason())));
    }

    /** @throws RequestRefused if the caller is not an operator, or the user is not locked */
    public Changed unlock(final Caller caller, final UserName user, final @Nullable String reason) {
        caller.requireOperator(WHAT);
        if (locks.lastChange(user).filter(UserLock::locked).isEmpty()) {
            throw RequestRefused.notFound("user '" + user + "' is not locked");
        }
        final UserLock lock = change(caller, user, false, ReasonText.required(reason));
        return new Changed(lock, publish(user, job -> release(caller, job)));
    }

    private UserLock change(final Caller caller, final UserName user, final boolean locked, final String reason) {
        final UserLock lock = new UserLock(user, locked, caller.user(), reason, now());
        log.publish(lock);
        LOG.atInfo()
                .addKeyValue("decision", locked ? "locked" : "unlocked")
                .addKeyValue("user", user)
                .addKeyValue("author", caller.user())
                .addKeyValue("reason", reason)
                .log("lock of a user changed");
        awaitEffect(lock);
        return lock;
    }

    private void awaitEffect(final UserLock lock) {
        final Instant until = clock.instant().plus(settings.projectionTimeout());
        while (locks.lastChange(lock.user())
                .filter(known -> !known.changedAt().isBefore(lock.changedAt()))
                .isEmpty()) {
            if (clock.instant().isAfter(until)) {
                throw new RequestRefused(
                        RequestRefused.Kind.UNAVAILABLE,
                        "the change is on the log, but not in force here yet; repeat the request");
            }
            try {
                Thread.sleep(CHECK_INTERVAL_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RequestRefused(
                        RequestRefused.Kind.UNAVAILABLE, "the service is stopping; repeat the request");
            }
        }
    }

    /** Publishes a request for each unfinished job of the user that needs one, and returns their number. */
    private int publish(
            final UserName user, final Function<ReadModel.JobDetails, Optional<? extends SubmissionEvent>> request) {
        model.awaitSubmissions();
        final List<SubmissionEvent> all = new ArrayList<>();
        List<ReadModel.JobDetails> page = model.jobs(JobFilter.unfinished(user, SubmitSettings.MAX_PAGE));
        while (!page.isEmpty()) {
            page.forEach(job -> request.apply(job).ifPresent(all::add));
            page = model.jobs(JobFilter.unfinished(user, SubmitSettings.MAX_PAGE)
                    .after(page.getLast().stored().job().id()));
        }
        if (!all.isEmpty()) {
            log.publishAll(all);
        }
        return all.size();
    }

    private Optional<HoldRequested> hold(final Caller caller, final ReadModel.JobDetails job, final String reason) {
        try {
            return Optional.of(holds.holdRequest(caller, job, HELD + reason));
        } catch (RequestRefused started) {
            return Optional.empty();
        }
    }

    private Optional<? extends SubmissionEvent> stop(
            final Caller caller, final ReadModel.JobDetails job, final String reason) {
        return stops.request(caller, job, HELD + reason);
    }

    private Optional<ReleaseRequested> release(final Caller caller, final ReadModel.JobDetails shown) {
        final GlobalJob job = shown.stored().job();
        return job.hold() != null && job.hold().reason().startsWith(HELD)
                ? Optional.of(new ReleaseRequested(job.id(), caller.user(), now()))
                : Optional.empty();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
