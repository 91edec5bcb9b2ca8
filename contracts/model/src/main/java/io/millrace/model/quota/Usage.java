package io.millrace.model.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current use of a cluster by a user's jobs.
 *
 * @param guaranteedCores of the cores in use, those within the quota
 * @param borrowedCores those beyond it
 * @param waitingCores cores requested by waiting jobs
 * @param quotaCores the quota they are measured by
 * @param requestedCoreSeconds core-seconds requested by the running jobs: allocated cores x walltime limit
 * @param decayed what was used up to an instant, the older the less; null if it was never counted
 * @param gpus in use; null: none
 * @param projects the use for each project, in order of their names; null: no job names a project
 * @param queuedCoreSeconds core-seconds requested by waiting jobs that count against a limit; null: none
 */
public record Usage(
        ClusterId cluster,
        UserName user,
        int guaranteedCores,
        int borrowedCores,
        int waitingCores,
        int quotaCores,
        long requestedCoreSeconds,
        @Nullable Decayed decayed,
        @Nullable Integer gpus,
        @Nullable List<ProjectUse> projects,
        @Nullable Long queuedCoreSeconds)
        implements Event {

    /**
     * Decayed use: it halves with each half-life. After {@code asOf}, the cores in use add to it.
     *
     * @param coreSeconds core-seconds
     */
    public record Decayed(long coreSeconds, Instant asOf) {}

    /** Of what a user's jobs occupy, what is for one project. */
    public record ProjectUse(ProjectName project, int cores, int gpus) {}

    public Usage {
        projects = projects == null ? null : List.copyOf(projects);
    }

    /** Current figures of a user without GPUs and projects. */
    public Usage(
            final ClusterId on,
            final UserName user,
            final int guaranteedCores,
            final int borrowedCores,
            final int waitingCores,
            final int quotaCores,
            final long asked_core_s) {
        this(on, user, guaranteedCores, borrowedCores, waitingCores, quotaCores, asked_core_s, null, null, null, null);
    }

    /** The same figures, with this much used before. */
    public Usage with(final @Nullable Decayed before) {
        return new Usage(
                cluster,
                user,
                guaranteedCores,
                borrowedCores,
                waitingCores,
                quotaCores,
                requestedCoreSeconds,
                before,
                gpus,
                projects,
                queuedCoreSeconds);
    }

    /** Cores in use. */
    public int cores() {
        return guaranteedCores + borrowedCores;
    }

    public int usedGpus() {
        return gpus == null ? 0 : gpus;
    }

    public long queued_core_s() {
        return queuedCoreSeconds == null ? 0 : queuedCoreSeconds;
    }

    public List<ProjectUse> byProject() {
        return projects == null ? List.of() : projects;
    }

    @Override
    public String key() {
        return new UsageKey.Use(cluster, user).toString();
    }
}
