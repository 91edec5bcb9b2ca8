package io.millrace.agent.lsf.query;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A job as {@code bjobs} lists it.
 *
 * @param id the id that commands accept, {@code 105[3]}
 * @param name job name; for an array task without the index
 * @param status LSF state: {@code PEND}, {@code RUN}…
 * @param started start of the current or last run; null if the job never ran
 * @param finished null if the job has not ended
 * @param hosts where the job runs, one entry for each host
 * @param request what the job requests
 * @param reasons why the job is pending or suspended
 * @param dependency whether its dependency condition is met
 * @param groupedTasks the pending array tasks that this entry groups under the array id; null for a single job
 */
public record ListedJob(
        String id,
        String name,
        JobHeading heading,
        String status,
        Instant submitted,
        @Nullable Instant started,
        @Nullable Instant finished,
        @Nullable Instant notBefore,
        boolean onHold,
        List<String> hosts,
        JobRequest request,
        List<String> reasons,
        Dependency dependency,
        @Nullable ArrayTasks groupedTasks) {

    /** The state of a dependency condition. */
    public enum Dependency {
        /** There is none, or it is satisfied. */
        MET,
        UNMET,
        /** LSF does not report it. */
        UNKNOWN
    }

    private static final Set<String> ENDED = Set.of("DONE", "EXIT");
    private static final Pattern TAG = Pattern.compile(
            "#!/bin/bash\\s*+;?\\s*+#\\s*+millrace\\s*+([0-7][0-9A-HJKMNP-TV-Z]{25}\\.[1-9][0-9]{0,8})\\b.*");
    private static final Pattern BEGIN_TIME =
            Pattern.compile("SpecifiedStartTime<(\\w{3})(\\w{3})(\\d+?)(\\d{2}:\\d{2}:\\d{2})(\\d{4})?>");

    public ListedJob {
        hosts = List.copyOf(hosts);
        reasons = List.copyOf(reasons);
    }

    /**
     * @param memoryPerSlot see {@link ParamsQuery.Params}
     * @return empty if the text is not a job or is cut off
     */
    public static Optional<ListedJob> of(
            final LongFormat.Job job, final JobHeading heading, final Instant now, final boolean memoryPerSlot) {
        final LongFormat.Event submission = job.events().stream()
                .filter(line -> line.compact().startsWith("Submitted"))
                .findFirst()
                .orElse(null);
        final Instant submitted =
                submission == null ? null : LsfTime.past(submission.time(), now).orElse(null);
        if (submission == null || submitted == null) {
            return Optional.empty();
        }
        final LastRun lastRun = LastRun.read(job.events(), now);
        return Optional.of(new ListedJob(
                job.id(),
                name(job.id(), heading.name()),
                heading,
                heading.status(),
                submitted,
                lastRun.started(),
                ENDED.contains(heading.status()) ? lastRun.finished() : null,
                notBefore(submission.compact(), now),
                submission.compact().contains("onhold"),
                lastRun.hosts(),
                JobRequest.of(job, submission.text(), memoryPerSlot),
                reasons(job),
                Dependency.MET,
                null));
    }

    private static String name(final String id, final String name) {
        final int index = id.indexOf('[');
        return index > 0 && name.endsWith(id.substring(index))
                ? name.substring(0, name.length() - (id.length() - index))
                : name;
    }

    private static @Nullable Instant notBefore(final String submission, final Instant now) {
        final Matcher found = BEGIN_TIME.matcher(submission);
        return found.find()
                ? LsfTime.future(
                                found.group(1) + " " + found.group(2) + " " + found.group(3) + " " + found.group(4)
                                        + (found.group(5) == null ? "" : " " + found.group(5)),
                                now)
                        .orElse(null)
                : null;
    }

    private static List<String> reasons(final LongFormat.Job job) {
        final List<String> pending = job.section("PENDING REASONS:");
        return (pending.isEmpty() ? job.section("SUSPENDING REASONS:") : pending)
                .stream()
                        .map(line ->
                                line.replaceFirst("(: \\d+ hosts?)?[;.]$", "").strip())
                        .filter(line -> !line.isEmpty() && !line.startsWith(":"))
                        .toList();
    }

    public JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, id), submitted);
    }

    /** The array index; 0 for a job outside an array and for a group of tasks. */
    public int index() {
        final int bracket = id.indexOf('[');
        return bracket < 0 ? 0 : Integer.parseInt(id.substring(bracket + 1, id.length() - 1));
    }

    public JobKey keyOfArray(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, id.replaceFirst("\\[.*", "")), submitted);
    }

    /** The id for commands: {@code 105[3]}, or {@code 105[1-9:2]} for a group of tasks. */
    public String commandId() {
        return groupedTasks == null ? id : id + "[" + groupedTasks.indices() + "]";
    }

    /** The id of the task that starts next. */
    public String nextTaskId() {
        return groupedTasks == null ? id : id + "[" + groupedTasks.indices().replaceFirst("[^0-9].*", "") + "]";
    }

    public ListedJob asGroup(final ArrayTasks tasks) {
        return copy(tasks.array(), dependency, tasks);
    }

    public ListedJob with(final Dependency state) {
        return copy(id, state, groupedTasks);
    }

    private ListedJob copy(
            final String otherId, final Dependency otherDependency, final @Nullable ArrayTasks otherTasks) {
        return new ListedJob(
                otherId,
                name,
                heading,
                status,
                submitted,
                started,
                finished,
                notBefore,
                onHold,
                hosts,
                request,
                reasons,
                otherDependency,
                otherTasks);
    }

    public boolean hasEnded() {
        return ENDED.contains(status);
    }

    public boolean isWaiting() {
        return status.equals("PEND") || status.equals("PSUSP");
    }

    /** Whether an administrator holds the job. Only LSF reports this; OpenLava does not. */
    public boolean isHeldByAdministrator() {
        return reasons.stream().anyMatch(reason -> reason.contains("suspended by") && reason.contains("admin"));
    }

    /** Whether it must not start yet because of its dependency condition; an unknown state counts as unmet. */
    public boolean hasUnmetDependency() {
        return dependency != Dependency.MET || reportsUnmetDependency();
    }

    /** Whether a pending reason is the dependency condition. An inactive queue hides this reason. */
    public boolean reportsUnmetDependency() {
        return reasons.stream()
                .anyMatch(reason -> reason.toLowerCase(Locale.ROOT).contains("dependency condition"));
    }

    /** The attempt tag in the second line of the script, which LSF shows as the command. */
    @Nullable
    public AttemptId attempt() {
        final Matcher tag = TAG.matcher(heading.command());
        return tag.lookingAt() ? AttemptId.of(tag.group(1)) : null;
    }

    @Nullable
    public Duration runLimit() {
        return request.runLimit();
    }
}
