package io.millrace.agent.slurm;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One row of {@code squeue}: a job, a task of an array, or the tasks of an array that still wait together. */
record QueuedJob(List<String> cells) {

    /** The fields asked for, in the order of the accessors below. */
    static final List<String> FIELDS = List.of(
            "jobarrayid",
            "arrayjobid",
            "username",
            "state",
            "reason",
            "partition",
            "account",
            "numcpus",
            "numnodes",
            "tres-alloc",
            "minmemory",
            "timelimit",
            "submittime",
            "eligibletime",
            "starttime",
            "endtime",
            "nodelist",
            "restartcnt",
            "prioritylong",
            "exit_code",
            "dependency",
            "admin_comment",
            "comment",
            "name",
            "workdir");

    /** The gate's begin time for what an owner asked; see job_submit.lua. */
    static final long FAR_AWAY = 4_102_444_800L;

    private static final Duration AFTER_REQUEUE = Duration.ofSeconds(3);

    QueuedJob {
        cells = List.copyOf(cells);
        if (cells.size() != FIELDS.size()) {
            throw new IllegalArgumentException("a row of squeue has " + FIELDS.size() + " cells, got " + cells.size());
        }
    }

    /** The id that commands take: {@code 12}, {@code 12_3}; tasks that wait together go by the array's id. */
    String localId() {
        return cell("jobarrayid").indexOf('[') >= 0 ? cell("arrayjobid") : cell("jobarrayid");
    }

    JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, localId()), submitted());
    }

    /** When the job came in; Slurm's own figure only for jobs that came in past the gate. */
    Instant submitted() {
        return mark().map(Mark::submitted).orElseGet(() -> Instant.ofEpochSecond(number("submittime")));
    }

    Optional<Mark> mark() {
        return Mark.in(cell("admin_comment"));
    }

    /** A cell as it stands; what Slurm prints for "none" becomes the empty text. */
    String cell(final String field) {
        final String text = cells.get(FIELDS.indexOf(field));
        return text.equals("(null)") || text.equals("N/A") ? "" : text;
    }

    /** As a user wrote it, even if that is {@code (null)}. */
    String name() {
        return cells.get(FIELDS.indexOf("name"));
    }

    long number(final String field) {
        return Long.parseLong(cell(field));
    }

    @Nullable
    Instant instant(final String field) {
        final String text = cell(field);
        return text.isEmpty() ? null : Instant.ofEpochSecond(Long.parseLong(text));
    }

    boolean isHeld() {
        return number("prioritylong") == 0;
    }

    boolean isPending() {
        return cell("state").equals("PENDING");
    }

    int restarts() {
        return (int) number("restartcnt");
    }

    /** Whether the gate noted an owner's request by the far begin time. */
    boolean isFarAway() {
        final Instant eligible = instant("eligibletime");
        return eligible != null && eligible.getEpochSecond() == FAR_AWAY;
    }

    /**
     * From when on the job may begin, if it is to begin as soon as possible. A run that follows too soon on one that was put back is
     * refused by slurmd ("Job credential revoked") and counts as failed: a credential must be younger, by slurmctld's clock in full
     * seconds, than the order that ended the run before. Slurm keeps two minutes; it notes the requeue as submit time.
     */
    Instant earliestBegin() {
        final Instant entered = Instant.ofEpochSecond(number("submittime"));
        return restarts() == 0 ? entered : entered.plus(AFTER_REQUEUE);
    }
}
