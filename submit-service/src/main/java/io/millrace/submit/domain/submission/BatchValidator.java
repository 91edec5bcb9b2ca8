package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.Text;
import io.millrace.model.job.JobSpec;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.directive.ArrayIndices;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Validates what makes a request a batch, and what its jobs wait for. */
record BatchValidator(JobRequest request, ScriptDirectives directives, ValidationErrors errors) {

    /**
     * Maximum size of the texts of all jobs of a batch together, in bytes of UTF-8. Each job carries its own, and every state of the job on the log
     * repeats them.
     */
    static final long MAX_TEXTS = 24L * 1024 * 1024;

    /** The tasks that the request, or else the script, specifies; null if the job is not an array. */
    @Nullable
    TaskArray array() {
        if (request.array() != null) {
            return checked(errors.read("array", request.array(), text -> TaskArray.of(ArrayIndices.read(text))));
        }
        final ScriptOption option = directives.requested().array();
        if (option == null || !(option.setting() instanceof JobSetting.Array setting)) {
            return null;
        }
        try {
            return checked(TaskArray.of(setting));
        } catch (final IllegalArgumentException e) {
            return errors.add(fieldOf(option), option.where() + ": " + e.getMessage(), null);
        }
    }

    private static String fieldOf(final ScriptOption option) {
        return option.isOfCommandLine() ? "options" : "script";
    }

    private @Nullable TaskArray checked(final @Nullable TaskArray array) {
        if (array != null && !named().isEmpty()) {
            return errors.add("directories", "cannot be combined with an array; send one of them", null);
        }
        return array;
    }

    /** Generated clients send an empty list for one that was not set. */
    private List<@Nullable String> named() {
        final List<@Nullable String> names = request.directories();
        return names == null ? List.of() : names;
    }

    /** The directory of each job; empty if the request names none. */
    List<String> directories() {
        final List<@Nullable String> names = named();
        final String base = request.directory();
        if (names.isEmpty() || base == null || !base.startsWith("/")) {
            return List.of();
        }
        if (names.size() > BatchId.MAX_JOBS) {
            return errors.add(
                    "directories",
                    "must name at most " + BatchId.MAX_JOBS + " directories, got " + names.size(),
                    List.of());
        }
        final List<String> all =
                names.stream().map(name -> directory(base, name)).toList();
        return all.stream().distinct().count() == all.size()
                ? all
                : errors.add("directories", "names a directory twice; each job needs its own", List.of());
    }

    private String directory(final String base, final @Nullable String name) {
        if (name == null || name.isBlank() || !Text.isPlain(name)) {
            return errors.add("directories", "must name printable paths, got '" + name + "'", base);
        }
        final String path = Path.of(base).resolve(name).normalize().toString();
        return path.equals("/") ? errors.add("directories", "must not be the root directory", base) : path;
    }

    /** Checks the size of the batch as it would be written to the log. */
    void checkSize(final JobSpec spec, final int jobs) {
        final long each = SubmissionSize.of(spec);
        if (each * jobs > MAX_TEXTS) {
            errors.add(
                    largest(spec),
                    "is too large for " + jobs + " jobs: script, make step, variables and arguments have " + each
                            + " bytes in each job, " + each * jobs + " in all of them; the maximum is " + MAX_TEXTS
                            + ". Move large parts into files in the job's directory, or send fewer jobs",
                    0);
        }
    }

    private static String largest(final JobSpec spec) {
        final long script = SubmissionSize.bytes(spec.script());
        final long make = SubmissionSize.bytes(spec.make());
        final long rest = SubmissionSize.of(spec) - script - make;
        return script >= make && script >= rest ? "script" : make >= rest ? "make" : "environment";
    }

    /** The jobs that must end or start before. */
    RequestedDependency dependency(final boolean isBatch, final NamedJobs jobs) {
        final RequestedDependency requested = Objects.requireNonNullElse(requested(jobs), RequestedDependency.NONE);
        if (!isBatch && !requested.corresponding().isEmpty()) {
            errors.add(
                    "dependency", "aftercorr requires an array or several directories; use afterok for one job", null);
        }
        return requested;
    }

    private @Nullable RequestedDependency requested(final NamedJobs jobs) {
        if (request.dependency() != null) {
            return errors.read("dependency", request.dependency(), text -> DependencyValidator.read(text, jobs));
        }
        final ScriptOption option = directives.option(JobSetting.Dependency.class);
        if (option == null || !(option.setting() instanceof JobSetting.Dependency setting)) {
            return null;
        }
        try {
            return DependencyValidator.ofScript(setting, request.target(), jobs);
        } catch (final IllegalArgumentException e) {
            return errors.add(fieldOf(option), option.where() + ": " + e.getMessage(), null);
        }
    }
}
