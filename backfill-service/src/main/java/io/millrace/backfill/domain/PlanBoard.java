package io.millrace.backfill.domain;

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
final class PlanBoard {

    private final ClusterId cluster;
    private final Published<Plan> standing = new Published<>();

    PlanBoard(final ClusterId cluster) {
        this.cluster = cluster;
    }

    void replay(final String key, final @Nullable Plan plan) {
        standing.replay(key, plan);
    }

    /** @param start_s {@link ShadowTime#NEVER} if it cannot be foreseen */
    void waits(final PlannedJob job, final int place, final long start_s, final Moment moment, final Changes changes) {
        final int lies = moment.lies(job);
        final Told told = job.told();
        if (told != null && told.serves(place, start_s, lies)) {
            return;
        }
        final Plan plan = Plans.of(moment.forecast(job, place, start_s), job.isDue(), moment.holdsReservation(job));
        job.tell(Told.of(say(plan, changes), lies));
    }

    /** Says it unless what stands is as good; returns what stands then. */
    Plan say(final Plan plan, final Changes changes) {
        if (standing.publish(plan, Plans::asGood)) {
            changes.put(plan);
            return plan;
        }
        final Plan kept = standing.current(plan.key());
        return kept == null ? plan : kept;
    }

    /** Nothing is to be said of this job any more. */
    void nothing(final JobKey job, final Changes changes) {
        takeOff(Plans.keyOf(job), changes);
    }

    private void takeOff(final String key, final Changes changes) {
        if (standing.remove(key)) {
            changes.remove(Topic.PLANS, List.of(key), cluster);
        }
    }

    /** Takes off what is said of all others. */
    void keepOnly(final Predicate<JobKey> jobs, final Changes changes) {
        standing.current().stream()
                .filter(plan -> !(plan.job() instanceof JobKey job && jobs.test(job)))
                .map(Plan::key)
                .toList()
                .forEach(key -> takeOff(key, changes));
    }
}
