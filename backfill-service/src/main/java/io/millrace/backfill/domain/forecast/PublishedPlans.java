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

/** What stands on {@code millrace.plans} for the jobs of a cluster; says only what no longer serves. */
public final class PublishedPlans {

    private final ClusterId cluster;
    private final Published<Plan> published = new Published<>();

    public PublishedPlans(final ClusterId cluster) {
        this.cluster = cluster;
    }

    public void replay(final String key, final @Nullable Plan plan) {
        published.replay(key, plan);
    }

    /** @param start_s {@link ShadowTime#NEVER} if it cannot be foreseen */
    public void publishWaiting(final PlannedJob job, final int place, final long start_s, final PassSnapshot moment, final Changes changes) {
        final int lies = moment.contentCode(job);
        final PublishedPlan told = job.published();
        if (told != null && told.covers(place, start_s, lies)) {
            return;
        }
        final Plan plan = PlanEvents.of(moment.forecast(job, place, start_s), job.isBeneficiary(), moment.holdsReservation(job));
        job.setPublished(PublishedPlan.of(publish(plan, changes), lies));
    }

    /** Says it unless what stands is as good; returns what stands then. */
    public Plan publish(final Plan plan, final Changes changes) {
        if (published.publish(plan, PlanEvents::isUnchanged)) {
            changes.put(plan);
            return plan;
        }
        final Plan kept = published.current(plan.key());
        return kept == null ? plan : kept;
    }

    /** Nothing is to be said of this job any more. */
    public void withdraw(final JobKey job, final Changes changes) {
        takeOff(PlanEvents.keyOf(job), changes);
    }

    private void takeOff(final String key, final Changes changes) {
        if (published.remove(key)) {
            changes.remove(Topic.PLANS, List.of(key), cluster);
        }
    }

    /** Takes off what is said of all others. */
    public void keepOnly(final Predicate<JobKey> jobs, final Changes changes) {
        published.current().stream()
                .filter(plan -> !(plan.job() instanceof JobKey job && jobs.test(job)))
                .map(Plan::key)
                .toList()
                .forEach(key -> takeOff(key, changes));
    }
}
