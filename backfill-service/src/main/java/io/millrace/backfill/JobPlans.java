package io.millrace.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.IneligibleJob;
import io.millrace.backfill.domain.JobRole;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.plan.JobForecast;
import io.millrace.backfill.domain.plan.PlanEvents;
import io.millrace.backfill.domain.plan.PublishedPlan;
import io.millrace.backfill.domain.plan.QueueForecast;
import io.millrace.backfill.domain.view.Commitments;
import io.millrace.decide.Changes;
import io.millrace.decide.Published;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import io.millrace.model.policy.PlanKey;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plans of a cluster's jobs on {@code millrace.plans}. A pass that starts jobs publishes only what a restart must know: plans of jobs with
 * a reservation and on a shrunk estimate. All jobs are forecast less often: a tenth of a millisecond per waiting job apart, so that a queue of
 * 100,000 jobs is forecast every 10 seconds and a short one at every pass.
 */
final class JobPlans {

    private static final int WAITING_PER_MS = 10;

    private final ClusterId cluster;
    private final BackfillPolicy policy;
    private final Published<JobKey, PublishedPlan> published = new Published<>(PublishedPlan::job);
    private Instant nextForecast = Instant.MIN;

    JobPlans(final ClusterId cluster, final BackfillPolicy policy) {
        this.cluster = cluster;
        this.policy = policy;
    }

    /** Takes a plan that an earlier process published; null is a tombstone. */
    void replayed(final JobKey job, final @Nullable Plan plan) {
        published.replay(job, plan == null ? null : PublishedPlan.replayed(plan));
    }

    /** Removes all published plans, because this cluster is not planned here. */
    void withdrawAll(final Changes changes) {
        replaceAll(List.of(), changes);
    }

    /**
     * Publishes the result of a pass.
     *
     * @return when the forecasts that this call has left out are due; empty if it has left out none
     */
    Optional<Instant> publish(
            final Collection<JobRole> roles,
            final QueueSnapshot queue,
            final Schedule schedule,
            final Commitments commitments,
            final Instant now,
            final Changes changes) {
        final Set<JobKey> started =
                schedule.starts().stream().map(start -> start.job().job()).collect(Collectors.toSet());
        started.forEach(job -> started(job, commitments, now, changes));
        if (now.isBefore(nextForecast) && !isPromiseWithdrawn(commitments)) {
            forecast(queue, schedule, commitments, now, promised(schedule, commitments)).stream()
                    .filter(job -> job.isReserved() || job.isBeneficiary())
                    .map(job -> wanted(job, now))
                    .forEach(plan -> publish(plan, changes));
            return Optional.of(nextForecast);
        }
        final List<PublishedPlan> wanted = wanted(roles, now);
        started.stream().map(published::current).filter(Objects::nonNull).forEach(wanted::add);
        forecast(queue, schedule, commitments, now, schedule.waiting().size())
                .forEach(job -> wanted.add(wanted(job, now)));
        replaceAll(wanted, changes);
        forecastAfter(schedule.waiting().size(), now);
        return Optional.empty();
    }

    /** Publishes the same veto for every queued job. @return as above */
    Optional<Instant> publishBlocked(
            final Collection<JobRole> roles, final Veto veto, final Instant now, final Changes changes) {
        if (now.isBefore(nextForecast)) {
            return Optional.of(nextForecast);
        }
        final List<PublishedPlan> wanted = wanted(roles, now);
        for (final JobRole role : roles) {
            if (role instanceof QueuedJob job) {
                wanted.add(wanted(PlanEvents.ineligible(new IneligibleJob(job.job(), veto)), now));
            }
        }
        replaceAll(wanted, changes);
        forecastAfter(roles.size(), now);
        return Optional.empty();
    }

    private void forecastAfter(final int jobs, final Instant now) {
        nextForecast = now.plusMillis(jobs / WAITING_PER_MS);
    }

    private void started(final JobKey job, final Commitments commitments, final Instant now, final Changes changes) {
        final OptionalLong shrunkEnd_s = commitments.shrunkEnd_s(job);
        if (shrunkEnd_s.isPresent()) {
            publish(shrunk(job, shrunkEnd_s.getAsLong(), now), changes);
        } else if (published.remove(job)) {
            changes.remove(Topic.PLANS, List.of(keyOf(job)), cluster);
        }
    }

    /** Whether a job has a published reservation, or a turn at the head, that it no longer has: a restart must not restore it. */
    private boolean isPromiseWithdrawn(final Commitments commitments) {
        return published.current().stream()
                .anyMatch(each -> (each.plan().isReserved() || each.plan().isGoingFirst())
                        && !commitments.isPromised(each.job()));
    }

    /** How many jobs from the first in order include all to which something is promised. */
    private static int promised(final Schedule schedule, final Commitments commitments) {
        final Set<JobKey> open = commitments.promised();
        int jobs = 0;
        int last = 0;
        for (final WaitingJob job : schedule.waiting()) {
            if (open.isEmpty()) {
                break;
            }
            jobs++;
            last = open.remove(job.job().job()) ? jobs : last;
        }
        return last;
    }

    private List<JobForecast> forecast(
            final QueueSnapshot queue,
            final Schedule schedule,
            final Commitments commitments,
            final Instant now,
            final int jobs) {
        return QueueForecast.of(queue, policy, schedule, commitments.displacers(), now.getEpochSecond(), jobs);
    }

    /** The plans of jobs that are not queued. */
    private List<PublishedPlan> wanted(final Collection<JobRole> roles, final Instant now) {
        final List<PublishedPlan> wanted = new ArrayList<>(roles.size());
        for (final JobRole role : roles) {
            switch (role) {
                case QueuedJob queued -> {}
                case IneligibleJob job -> {
                    if (!isBeingSubmitted(job)) {
                        wanted.add(wanted(PlanEvents.ineligible(job), now));
                    }
                }
                case RunningJob job -> {
                    if (isShrunk(job)) {
                        wanted.add(shrunk(job.job(), job.startBasis().shrunkEnd_s(), now));
                    }
                }
            }
        }
        return wanted;
    }

    /** It waits for its submission, which its own state shows, and not for this service. */
    private static boolean isBeingSubmitted(final IneligibleJob job) {
        return VetoCode.SUBMISSION_IN_PROGRESS.isOf(job.veto());
    }

    private static boolean isShrunk(final RunningJob job) {
        return job.startBasis().preemptible() || job.startBasis().shrunkEnd_s() < ShadowTime.NEVER;
    }

    private PublishedPlan shrunk(final JobKey job, final long end_s, final Instant now) {
        return wanted(PlanEvents.shrunk(job, end_s), now);
    }

    /** What is published, if it is still good enough. */
    private PublishedPlan wanted(final JobForecast job, final Instant now) {
        final PublishedPlan last = published.current(job.job().job());
        return last != null && last.covers(job) ? last : PublishedPlan.of(PlanEvents.of(job), now);
    }

    private PublishedPlan wanted(final Plan plan, final Instant now) {
        final PublishedPlan last = published.current((JobKey) plan.job());
        return last != null && last.covers(plan) ? last : PublishedPlan.of(plan, now);
    }

    private void publish(final PublishedPlan wanted, final Changes changes) {
        if (published.replace(wanted, JobPlans::isSame)) {
            changes.put(wanted.plan());
        }
    }

    private void replaceAll(final List<PublishedPlan> wanted, final Changes changes) {
        final Published.Difference<JobKey, PublishedPlan> difference = published.replaceAll(wanted, JobPlans::isSame);
        difference.put().forEach(each -> changes.put(each.plan()));
        changes.remove(
                Topic.PLANS, difference.removed().stream().map(JobPlans::keyOf).toList(), cluster);
    }

    /** Wanted plans that are good enough are the published ones themselves. */
    private static boolean isSame(final PublishedPlan last, final PublishedPlan wanted) {
        return last == wanted;
    }

    private static String keyOf(final JobKey job) {
        return new PlanKey.OfJob(job, Issuer.BACKFILL).toString();
    }
}
