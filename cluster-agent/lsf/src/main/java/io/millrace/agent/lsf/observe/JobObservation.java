package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts a listed job to a {@link JobObserved}. */
public final class JobObservation {

    private static final Pattern PRIORITY = Pattern.compile("Job Priority <(-?\\d+)>");

    private JobObservation() {}

    /** @param queueLimit run limit of the queue, used if the job has none */
    public static JobObserved of(
            final ClusterId cluster,
            final ListedJob job,
            final JobState state,
            final int restarts,
            final @Nullable Duration queueLimit,
            final Instant now) {
        final JobKey key = job.key(cluster);
        return new JobObserved(
                key,
                job.name(),
                NameMapping.user(job.heading().user()),
                NameMapping.project(job.heading().project()),
                NameMapping.partition(job.heading().queue()),
                state,
                job.reasons().isEmpty() ? null : String.join("; ", job.reasons()),
                job.request().resources(),
                job.runLimit() == null ? queueLimit : job.runLimit(),
                eligibility(job, state, now),
                job.attempt(),
                restarts,
                priority(job),
                new CheckpointMethod.None(),
                new JobDetail(
                        null,
                        job.groupedTasks() == null ? array(job.id()) : job.groupedTasks(),
                        job.request().dependency().isEmpty()
                                ? List.of()
                                : List.of(job.request().dependency()),
                        job.request().placement(),
                        job.heading().interactive(),
                        // brequeue always works; -r only applies when a host fails
                        true,
                        null));
    }

    private static long priority(final ListedJob job) {
        final Matcher found = PRIORITY.matcher(job.heading().extras());
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    static @Nullable ArrayTasks array(final String id) {
        final int index = id.indexOf('[');
        return index < 0
                ? null
                : new ArrayTasks(id.substring(0, index), id.substring(index + 1, id.length() - 1), 1, null);
    }

    /** The gate does not count: a start opens it. */
    private static Eligibility eligibility(final ListedJob job, final JobState state, final Instant now) {
        if (state instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
            return Eligibility.not(Obstacle.HOLD);
        }
        if (job.isWaiting() && job.hasUnmetDependency()) {
            return job.dependency() == ListedJob.Dependency.UNKNOWN
                    ? Eligibility.UNKNOWN
                    : Eligibility.not(Obstacle.DEPENDENCY);
        }
        return job.isWaiting() && beginsLater(job, now)
                ? Eligibility.from(job.notBefore())
                : Eligibility.since(job.submitted());
    }

    public static boolean beginsLater(final ListedJob job, final Instant now) {
        return job.notBefore() != null && job.notBefore().isAfter(now);
    }
}
