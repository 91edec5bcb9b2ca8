package io.millrace.model.job;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants to run.
 *
 * @param name for people
 * @param script the job script as the user wrote it, first line {@code #!…}; at most 256 KiB in UTF-8. See {@link ScriptText} for other
 *     encodings
 * @param make script of the optional build step, run in the job's directory before it is submitted; null if there is none
 * @param walltime limit of the run
 * @param partition on the cluster where it runs; null means that cluster's default
 * @param environment extra variables for the script
 * @param strict whether a cluster that has no equivalent for one of the script's options refuses it; else the option is left out
 * @param arguments of the script, passed as they are; null if there are none
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
        boolean strict,
        @Nullable List<String> arguments) {

    /** Longest script in bytes of UTF-8. */
    public static final int MAX_SCRIPT_BYTES = 256 * 1024;

    public JobSpec {
        environment = Map.copyOf(environment);
        arguments = arguments == null || arguments.isEmpty() ? null : List.copyOf(arguments);
        if (resources.cores() < 1) {
            throw new IllegalArgumentException("a job needs at least 1 core, got " + resources.cores());
        }
        if (walltime.isNegative() || walltime.isZero()) {
            throw new IllegalArgumentException("walltime must be greater than zero, got " + walltime);
        }
    }

    /** A job whose script has no arguments. */
    public JobSpec(
            final String name,
            final String script,
            final @Nullable String make,
            final Resources resources,
            final Duration walltime,
            final @Nullable PartitionName partition,
            final @Nullable ProjectName project,
            final Map<String, String> environment,
            final CheckpointMethod checkpoint,
            final boolean strict) {
        this(name, script, make, resources, walltime, partition, project, environment, checkpoint, strict, null);
    }

    public JobSpec withWalltime(final Duration other) {
        return new JobSpec(
                name, script, make, resources, other, partition, project, environment, checkpoint, strict, arguments);
    }

    public JobSpec withPartition(final PartitionName other) {
        return new JobSpec(
                name, script, make, resources, walltime, other, project, environment, checkpoint, strict, arguments);
    }

    /** What is null stays as it is. */
    public JobSpec altered(final @Nullable String otherName, final @Nullable Integer cores) {
        return new JobSpec(
                otherName == null ? name : otherName,
                script,
                make,
                cores == null
                        ? resources
                        : new Resources(cores, resources.nodes(), resources.memoryMib(), resources.gpus()),
                walltime,
                partition,
                project,
                environment,
                checkpoint,
                strict,
                arguments);
    }

    public JobSpec withEnvironment(final Map<String, String> other) {
        return new JobSpec(
                name, script, make, resources, walltime, partition, project, other, checkpoint, strict, arguments);
    }

    public JobSpec withArguments(final @Nullable List<String> others) {
        return new JobSpec(
                name, script, make, resources, walltime, partition, project, environment, checkpoint, strict, others);
    }

    /** The request without what runs. */
    public JobSpec withoutTexts() {
        return withTexts("", null, Map.of(), null);
    }

    /** The same request for another script, make step, variables and arguments. */
    public JobSpec withTexts(
            final String otherScript,
            final @Nullable String otherMake,
            final Map<String, String> otherEnvironment,
            final @Nullable List<String> others) {
        return new JobSpec(
                name,
                otherScript,
                otherMake,
                resources,
                walltime,
                partition,
                project,
                otherEnvironment,
                checkpoint,
                strict,
                others);
    }

    public JobSpec withProject(final ProjectName other) {
        return new JobSpec(
                name, script, make, resources, walltime, partition, other, environment, checkpoint, strict, arguments);
    }
}
