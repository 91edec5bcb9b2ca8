package io.millrace.agent.slurm.query;

import io.millrace.agent.wlm.UserSentence;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Millrace's mark in a job's AdminComment: the kind of hold and the first submit time. Slurm changes a job's submit time at each requeue,
 * so the mark keeps the first one, which identifies the job together with its id.
 *
 * @param value {@code entry}, {@code submission}, {@code user}, {@code operator}, {@code free}, or {@code start=N}: released by Millrace
 *     after the N-th restart
 */
public record AdminCommentMark(String value, Instant submitted) {

    public static final String ENTRY = "entry";
    public static final String SUBMISSION = "submission";
    public static final String USER = "user";
    public static final String OPERATOR = "operator";
    public static final String FREE = "free";

    private static final Pattern FORM = Pattern.compile("(?:^|\\s)millrace:(\\S+?)@(\\d{1,18})(?=\\s|$)");

    /** Users see it in {@code scontrol show job}. */
    private static final Pattern SENTENCE = Pattern.compile("(?<!\\s)\\s*+\\[Millrace [^\\[\\]]*\\]");

    public static AdminCommentMark start(final int restarts, final Instant submitted) {
        return new AdminCommentMark("start=" + restarts, submitted);
    }

    public static Optional<AdminCommentMark> in(final String adminComment) {
        final Matcher found = FORM.matcher(adminComment);
        return found.find()
                ? Optional.of(
                        new AdminCommentMark(found.group(1), Instant.ofEpochSecond(Long.parseLong(found.group(2)))))
                : Optional.empty();
    }

    /** The job's AdminComment with this mark in place of the previous one. */
    public static String comment(final QueuedJob job, final String value) {
        return new AdminCommentMark(value, job.submitted()).replaceIn(job.cell("admin_comment"));
    }

    /** The same, with this sentence for users in place of the previous one; null keeps that. */
    public static String comment(final QueuedJob job, final String value, final @Nullable UserSentence why) {
        return new AdminCommentMark(value, job.submitted()).replaceIn(explained(job.cell("admin_comment"), why));
    }

    public static String explained(final String adminComment, final @Nullable UserSentence why) {
        return why == null
                ? adminComment
                : (SENTENCE.matcher(adminComment).replaceAll("").strip() + " [" + why + "]").strip();
    }

    /** The comment with this mark in place of any other; the site's own text is kept. */
    public String replaceIn(final String adminComment) {
        return (FORM.matcher(adminComment).replaceAll("").strip() + " " + this).strip();
    }

    /** Whether Millrace released the job after exactly this many restarts. */
    public boolean isStartAfter(final int restarts) {
        return value.equals("start=" + restarts);
    }

    /** The number of restarts after which Millrace released the job; -1 if it did not. */
    public int restarts() {
        return value.matches("start=\\d{1,9}") ? Integer.parseInt(value.substring("start=".length())) : -1;
    }

    @Override
    public String toString() {
        return "millrace:" + value + "@" + submitted.getEpochSecond();
    }
}
