package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsId;
import io.millrace.model.array.ArrayTasks;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads job arrays. The waiting subjobs of an array are reported as one job under the array's id, and each running subjob as a job
 * under its own id. An array without waiting subjobs is reported without cores until its last subjob has ended.
 */
public final class JobArrays {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?(?:%\\d+)?");
    private static final Pattern AT_ONCE = Pattern.compile(".*%(\\d{1,9})\\s*");

    private JobArrays() {}

    /** Whether subjobs of this array still wait. */
    static boolean hasWaitingSubjobs(final PbsJob array) {
        return count(indices(array)) > 0;
    }

    /**
     * Whether the subjob is reported as a job under its own id. Waiting subjobs are part of the array, and ended ones are not
     * reported.
     */
    static boolean isReportedAlone(final PbsJob subjob) {
        return !subjob.isWaiting() && !subjob.isFinished();
    }

    static @Nullable ArrayTasks of(final PbsJob job) {
        final PbsId id = PbsId.in(job.id()).orElse(null);
        if (id == null || !job.isArray() && !id.isSubjob()) {
            return null;
        }
        if (id.isSubjob()) {
            return new ArrayTasks(id.array().toString(), String.valueOf(id.brackets()), 1, null);
        }
        final String waiting = indices(job);
        final String shown = waiting.isEmpty() ? job.object().get("array_indices_submitted", "0") : waiting;
        final int tasks = count(shown);
        return new ArrayTasks(job.id(), tasks == 0 ? "0" : shown, Math.max(1, tasks), atOnce(job));
    }

    /** The index that starts next; null if none waits. */
    static @Nullable public String nextIndex(final PbsJob array) {
        final Matcher range = RANGE.matcher(indices(array).split(",")[0].strip());
        return range.matches() ? range.group(1) : null;
    }

    /** The indices of the waiting subjobs; empty if there are none. */
    public static String waiting(final PbsJob array) {
        return indices(array).replace(" ", "");
    }

    private static String indices(final PbsJob array) {
        final String remaining =
                array.object().get("array_indices_remaining", "").strip();
        return remaining.equals("-") ? "" : remaining.replaceFirst("%\\d+\\s*$", "");
    }

    private static @Nullable Integer atOnce(final PbsJob array) {
        final long limit = array.object().number("max_run_subjobs", 0);
        if (limit > 0) {
            return (int) limit;
        }
        final Matcher slots = AT_ONCE.matcher(array.object().get("array_indices_submitted", ""));
        return slots.matches() ? Integer.valueOf(slots.group(1)) : null;
    }

    /** The number of indices in {@code 1-6:2,9,12-20}. */
    static int count(final String indices) {
        long tasks = 0;
        for (final String text : indices.split(",")) {
            final Matcher range = RANGE.matcher(text.strip());
            if (range.matches()) {
                final int first = Integer.parseInt(range.group(1));
                final int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
                final int step = range.group(3) == null ? 1 : Math.max(1, Integer.parseInt(range.group(3)));
                tasks += Math.max(0, (last - first) / step + 1);
            }
        }
        return (int) Math.min(tasks, Integer.MAX_VALUE);
    }
}
