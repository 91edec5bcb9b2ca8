package io.millrace.script;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.job.JobSpec;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a job's standard streams, as paths in its directory, so that they are copied with it. Their names travel as variables of
 * the job, with patterns that each cluster expands.
 *
 * @param output null: {@link io.millrace.script.wrapper.OutputFile}
 * @param error null: with the output
 * @param input null: empty
 */
public record StandardStreams(
        @Nullable String output,
        @Nullable String error,
        @Nullable String input) {

    public static final String OUTPUT = "MILLRACE_OUTPUT";
    public static final String ERROR = "MILLRACE_ERROR";
    public static final String INPUT = "MILLRACE_INPUT";

    private static final String NOTHING = "/dev/null";
    private static final Pattern PATTERN = Pattern.compile("%\\d{0,2}([A-Za-z%])");
    private static final Pattern UNUSABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\\\$]|^~");

    /**
     * The streams of an attempt. {@code %j} and {@code %J} are the number of the job, which is the same on every cluster, {@code %A} that of
     * its array, {@code %a} and {@code %I} the index of the task.
     */
    public static StandardStreams of(
            final JobSpec spec, final AttemptId attempt, final ClusterId cluster, final UserName owner) {
        return new StandardStreams(
                expanded(spec.environment().get(OUTPUT), spec, attempt, cluster, owner),
                expanded(spec.environment().get(ERROR), spec, attempt, cluster, owner),
                expanded(spec.environment().get(INPUT), spec, attempt, cluster, owner));
    }

    private static @Nullable String expanded(
            final @Nullable String path,
            final JobSpec spec,
            final AttemptId attempt,
            final ClusterId cluster,
            final UserName owner) {
        if (path == null) {
            return null;
        }
        final String job = Objects.requireNonNullElse(
                NumberVariables.of(spec), attempt.job().value());
        return PATTERN.matcher(path)
                .replaceAll(found -> Matcher.quoteReplacement(
                        switch (found.group(1)) {
                            case "j", "J" -> job;
                            case "A" -> spec.environment().getOrDefault(ArrayTask.ARRAY, job);
                            case "a", "I" -> spec.environment().getOrDefault(ArrayTask.INDEX, "0");
                            case "x" -> spec.name().replaceAll("[/\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]", "_");
                            case "u" -> owner.value();
                            case "N" -> cluster.value();
                            case "%" -> "%";
                            default -> "0"; // node, task and step of a job that is none of them
                        }));
    }

    /**
     * The path in the job's directory that an option names.
     *
     * @param written path as in the option, which can be absolute
     * @param directory of the job, absolute
     * @throws IllegalArgumentException if it is not in the directory, with the reason
     */
    public static String within(final String written, final String directory) {
        if (written.equals(NOTHING)) {
            return written;
        }
        if (written.isBlank()
                || written.endsWith("/")
                || UNUSABLE.matcher(written).find()) {
            throw new IllegalArgumentException("'" + written
                    + "' is not the name of a file; variables, '~' and backslashes are not expanded, but %j,"
                    + " %x, %u and %N are");
        }
        final Path home = Path.of(directory).normalize();
        final Path file = home.resolve(written).normalize();
        if (!file.startsWith(home) || file.equals(home)) {
            throw new IllegalArgumentException(
                    "'" + written + "' is not in the directory of the job, which is all that is copied");
        }
        return home.relativize(file).toString();
    }

    /**
     * As {@link #within}, for a directive, which was written for one cluster: names of hosts (PBS) are dropped, variables of Torque
     * become patterns, and only the name of a file elsewhere is used.
     *
     * @return null if it names no file
     */
    public static @Nullable String ofDirective(final String written, final Dialect dialect, final String directory) {
        String path = written;
        if (dialect == Dialect.PBS) {
            path = path.replaceFirst("^[A-Za-z0-9_.-]*:", "")
                    .replaceAll("\\$(PBS_JOBID\\b|\\{PBS_JOBID\\})", "%j")
                    .replaceAll("\\$(PBS_JOBNAME\\b|\\{PBS_JOBNAME\\})", "%x")
                    .replace("^array_index^", "%a");
        }
        for (final String candidate : new String[] {path, path.substring(path.lastIndexOf('/') + 1)}) {
            try {
                return within(candidate, directory);
            } catch (final IllegalArgumentException elsewhere) {
                // The name alone is tried next.
            }
        }
        return null;
    }
}
