package io.millrace.model.job;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants to run.
 *
 * @param name for people
 * @param script the job script as the user wrote it, first line {@code #!…}; at most 256 KiB in UTF-8
 * @param make script of the optional build step, run in the job's directory before it is submitted; null if there is none
 * @param walltime limit of the run
 * @param partition on the cluster where it runs; null means that cluster's default
 * @param environment extra variables for the script
 * @param strict whether a cluster that has no equivalent for one of the script's options refuses it; else the option is left out
 */
public record JobSpec(
        String name,
        String script,
        @Nullable String make,
        Resources resources,
        Duration walltime,
        @Nullable PartitionName partition,
        @Nullable ProjectName project,
        Map<String, String> environment,
        CheckpointMethod checkpoint,
        boolean strict) {

    /** Longest script in bytes of UTF-8. */
    public static final int MAX_SCRIPT_BYTES = 256 * 1024;

    public JobSpec {
        environment = Map.copyOf(environment);
        if (resources.cores() < 1) {
            throw new IllegalArgumentException("a job needs at least 1 core, got " + resources.cores());
        }
        if (walltime.isNegative() || walltime.isZero()) {
            throw new IllegalArgumentException("walltime must be greater than zero, got " + walltime);
        }
    }

    public JobSpec withWalltime(final Duration other) {
        return new JobSpec(name, script, make, resources, other, partition, project, environment, checkpoint, strict);
    }

    public JobSpec withProject(final ProjectName other) {
        return new JobSpec(name, script, make, resources, walltime, partition, other, environment, checkpoint, strict);
    }
}
