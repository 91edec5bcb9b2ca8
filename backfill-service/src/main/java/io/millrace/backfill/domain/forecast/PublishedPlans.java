package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.PublishedPlan;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.decide.Changes;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The plans of a cluster's jobs on {@code millrace.plans}; publishes a plan only if it has changed. */
public final class PublishedPlans {

    /** @param tolerance_s see {@link PublishedPlan#tolerance_s} */
    private record Entry(Plan plan, long tolerance_s) {}

    private final ClusterId cluster;
    private final Map<String, Entry> published = new HashMap<>();

    public PublishedPlans(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** Applies a record of the replay; null is a tombstone. */
    public void replay(final String key, final @Nullable Plan plan) {
        if (plan == null) {
            published.remove(key);
        } else {
            published.put(key, new Entry(plan, PublishedPlan.MIN_TOLERANCE.toSeconds()));
        }
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
        final Entry kept = publish(plan, PublishedPlan.tolerance_s(plan, pass.now_s()), changes);
        job.setPublished(PublishedPlan.of(kept.plan, kept.tolerance_s, content));
    }

    /** Publishes a plan without a predicted start unless the published one is still good enough. */
    public void publish(final Plan plan, final Changes changes) {
        publish(plan, PublishedPlan.MIN_TOLERANCE.toSeconds(), changes);
    }

    /** Returns what is published. */
    private Entry publish(final Plan plan, final long tolerance_s, final Changes changes) {
        final Entry last = published.get(plan.key());
        if (last != null && PlanEvents.isUnchanged(last.plan, plan, last.tolerance_s)) {
            return last;
        }
        final Entry entry = new Entry(plan, tolerance_s);
        published.put(plan.key(), entry);
        changes.put(plan);
        return entry;
    }

    /** Removes the plan of a job. */
    public void withdraw(final JobKey job, final Changes changes) {
        takeOff(PlanEvents.keyOf(job), changes);
    }

    private void takeOff(final String key, final Changes changes) {
        if (published.remove(key) != null) {
            changes.remove(Topic.PLANS, List.of(key), cluster);
        }
    }

    /** Removes the plans of all other jobs. */
    public void keepOnly(final Predicate<JobKey> jobs, final Changes changes) {
        published.values().stream()
                .map(Entry::plan)
                .filter(plan -> !(plan.job() instanceof JobKey job && jobs.test(job)))
                .map(Plan::key)
                .toList()
                .forEach(key -> takeOff(key, changes));
    }
}
