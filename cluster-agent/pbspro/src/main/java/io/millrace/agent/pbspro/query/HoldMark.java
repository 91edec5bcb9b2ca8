package io.millrace.agent.pbspro.query;

import io.millrace.model.AttemptId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Millrace's mark on a job: whether the operator hold is Millrace's, and the id of the attempt. It is the value of the job's
 * resource {@code millrace}, a string with the flag {@code r}, which users can neither request nor alter. A comment would not do,
 * because each hold overwrites it, nor would a variable, because the owner chooses it; see ADR 0005.
 *
 * @param purpose {@code submission} or {@code entry}: the operator hold is Millrace's; {@code free}: it is not
 * @param runs number of starts of the job when the mark was written; the mark does not apply to later waits
 * @param attempt null for a job that a user submitted directly to the cluster
 */
public record HoldMark(String purpose, long runs, @Nullable AttemptId attempt) {

    /** Name of the resource that carries the mark. */
    public static final String RESOURCE = "millrace";
    /** The command by which a manager creates the resource. */
    public static final String CREATE = "create resource " + RESOURCE + " type=string,flag=r";

    public static final String SUBMISSION = "submission";
    public static final String ENTRY = "entry";
    public static final String FREE = "free";

    private static final String TAG = "[0-7][0-9A-HJKMNP-TV-Z]{25}\\.[1-9][0-9]{0,8}";
    private static final Pattern FORM = Pattern.compile("(submission|entry|free)\\.(\\d{1,9})(?:\\.(" + TAG + "))?");

    public static Optional<HoldMark> parse(final @Nullable String value) {
        final Matcher form =
                FORM.matcher(value == null ? "" : value.replace("\"", "").strip());
        return form.matches()
                ? Optional.of(new HoldMark(
                        form.group(1),
                        Long.parseLong(form.group(2)),
                        form.group(3) == null ? null : AttemptId.of(form.group(3))))
                : Optional.empty();
    }

    static boolean isAttemptTag(final String text) {
        return text.matches(TAG);
    }

    @Override
    public String toString() {
        return purpose + "." + runs + (attempt == null ? "" : "." + attempt);
    }
}
