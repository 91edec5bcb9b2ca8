package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.PublishedPlan;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.Topic;
import io.millrace.model.view.Changes;
import io.millrace.model.view.Published;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The plans of a cluster's jobs on {@code millrace.plans}; publishes a plan only if it has changed. */
public final class PublishedPlans {

    private final ClusterId cluster;
    private final Published<Plan> published = new Published<>();

    public PublishedPlans(final ClusterId cluster) {
        this.cluster = cluster;
    }

    public void replay(final String key, final @Nullable Plan plan) {
        published.replay(key, plan);
    }

    /** @param start_s {@link ShadowTime#NEVER} if it is not foreseeable */
    public void publishWaiting(
            final PlannedJob job, final int place, final long start_s, final PassSnapshot pass, final Changes changes) {
        final int content = pass.contentCode(job);
        final PublishedPlan last = job.published();
        if (last != null && last.covers(place, start_s, content)) {
            return;
        }
        final Plan plan =
                PlanEvents.of(pass.forecast(job, place, start_s), job.isBeneficiary(), pass.holdsReservation(job));
        job.setPublished(PublishedPlan.of(publish(plan, changes), content));
    }

    /** Publishes a plan unless the published one is still good enough; returns the published one. */
    public Plan publish(final Plan plan, final Changes changes) {
        if (published.publish(plan, PlanEvents::isUnchanged)) {
            changes.put(plan);
            return plan;
        }
        final Plan kept = published.current(plan.key());
        return kept == null ? plan : kept;
    }

    /** Removes the plan of a job. */
    public void withdraw(final JobKey job, final Changes changes) {
        takeOff(PlanEvents.keyOf(job), changes);
    }

    private void takeOff(final String key, final Changes changes) {
        if (published.remove(key)) {
            changes.remove(Topic.PLANS, List.of(key), cluster);
        }
    }

    /** Removes the plans of all other jobs. */
    public void keepOnly(final Predicate<JobKey> jobs, final Changes changes) {
        published.current().stream()
                .filter(plan -> !(plan.job() instanceof JobKey job && jobs.test(job)))
                .map(Plan::key)
                .toList()
                .forEach(key -> takeOff(key, changes));
    }
}
