package io.millrace.agent.slurm;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Millrace's word in a job's AdminComment: whose hold it is, and when the job was first submitted. Slurm changes a job's submit time
 * at each requeue, so the first one is kept here; together with the id it is the job's key.
 *
 * @param value {@code entry}, {@code submission}, {@code user}, {@code operator}, {@code free}, or {@code start=N}: let go by Millrace
 *     after the N-th restart
 */
record AdminCommentMark(String value, Instant submitted) {

    static final String ENTRY = "entry";
    static final String SUBMISSION = "submission";
    static final String USER = "user";
    static final String OPERATOR = "operator";
    static final String FREE = "free";

    private static final Pattern FORM = Pattern.compile("(?:^|\\s)millrace:(\\S+?)@(\\d{1,18})(?=\\s|$)");

    static AdminCommentMark start(final int restarts, final Instant submitted) {
        return new AdminCommentMark("start=" + restarts, submitted);
    }

    static Optional<AdminCommentMark> in(final String adminComment) {
        final Matcher found = FORM.matcher(adminComment);
        return found.find()
                ? Optional.of(
                        new AdminCommentMark(found.group(1), Instant.ofEpochSecond(Long.parseLong(found.group(2)))))
                : Optional.empty();
    }

    /** A job's comment with this word in place of the one before. */
    static String comment(final QueuedJob job, final String word) {
        return new AdminCommentMark(word, job.submitted()).replaceIn(job.cell("admin_comment"));
    }

    /** The comment with this mark in place of any other; words of the site stay. */
    String replaceIn(final String adminComment) {
        return (FORM.matcher(adminComment).replaceAll("").strip() + " " + this).strip();
    }

    /** Whether the job was let go after exactly this many restarts. */
    boolean isStartAfter(final int restarts) {
        return value.equals("start=" + restarts);
    }

    /** After how many restarts the job was let go; -1 if it was not. */
    int restarts() {
        return value.matches("start=\\d{1,9}") ? Integer.parseInt(value.substring("start=".length())) : -1;
    }

    @Override
    public String toString() {
        return "millrace:" + value + "@" + submitted.getEpochSecond();
    }
}
