package io.millrace.agent.slurm;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code squeue}: a job, a task of an array, the tasks of an array that still wait together, or all components of a
 * heterogeneous job.
 *
 * @param parts the other components of a heterogeneous job; empty for every other one
 */
record QueuedJob(List<String> cells, List<QueuedJob> parts) {

    /** The fields asked for, in the order of the accessors below. */
    static final List<String> FIELDS = List.of(
            "jobarrayid",
            "arrayjobid",
            "hetjobid",
            "username",
            "userid",
            "state",
            "reason",
            "partition",
            "account",
            "qos",
            "numcpus",
            "numnodes",
            "numtasks",
            "tres-alloc",
            "tres-per-job",
            "tres-per-node",
            "tres-per-socket",
            "tres-per-task",
            "minmemory",
            "timelimit",
            "submittime",
            "eligibletime",
            "starttime",
            "endtime",
            "nodelist",
            "reqnodes",
            "restartcnt",
            "prioritylong",
            "exit_code",
            "dependency",
            "feature",
            "licenses",
            "oversubscribe",
            "batchflag",
            "requeue",
            "ntpernode",
            "cpuspertask",
            "admin_comment",
            "comment",
            "name",
            "workdir");

    private static final Map<String, Integer> PLACES = places();
    private static final Pattern ID = Pattern.compile("\\d+(?:\\+\\d+|_\\d+|_\\[.*])?");
    private static final List<String> NUMBERS =
            List.of("numcpus", "numnodes", "restartcnt", "prioritylong", "submittime");
    private static final List<String> TIMES = List.of("submittime", "eligibletime", "starttime", "endtime");

    /** The gate's begin time for what an owner asked; see job_submit.lua. */
    static final long FAR_FUTURE = 4_102_444_800L;

    private static final Duration AFTER_REQUEUE = Duration.ofSeconds(3);

    QueuedJob {
        cells = List.copyOf(cells);
        parts = List.copyOf(parts);
        if (cells.size() != FIELDS.size()) {
            throw new IllegalArgumentException("a row of squeue has " + FIELDS.size() + " cells, got " + cells.size());
        }
    }

    QueuedJob(final List<String> cells) {
        this(cells, List.of());
    }

    private static Map<String, Integer> places() {
        final Map<String, Integer> places = new HashMap<>();
        for (final String field : FIELDS) {
            places.put(field, places.size());
        }
        return Map.copyOf(places);
    }

    /**
     * The id that commands take: {@code 12}, {@code 12_3}. Tasks that wait together go by the array's id, components of a heterogeneous
     * job by that of the first.
     */
    String localId() {
        if (isHeterogeneous()) {
            return cell("hetjobid");
        }
        return cell("jobarrayid").indexOf('[') >= 0 ? cell("arrayjobid") : cell("jobarrayid");
    }

    /** Components of one heterogeneous job are one job; everything else stands alone. */
    String rowKey() {
        return isHeterogeneous() ? cell("hetjobid") : cell("jobarrayid") + "@" + submitted();
    }

    private boolean isHeterogeneous() {
        final String leader = cell("hetjobid");
        return !leader.isEmpty() && !leader.equals("0");
    }

    /** This heterogeneous job with one more component. What is still alive speaks for the whole, else the first component. */
    QueuedJob withComponent(final QueuedJob component) {
        final boolean other = JobStates.isEnded(this) && !JobStates.isEnded(component)
                || JobStates.isEnded(this) == JobStates.isEnded(component)
                        && component.cell("jobarrayid").endsWith("+0");
        final List<QueuedJob> rest = new ArrayList<>(parts);
        rest.add(new QueuedJob(other ? cells : component.cells));
        return new QueuedJob(other ? component.cells : cells, rest);
    }

    /** This row and the other components of the same job, if there are any. */
    List<QueuedJob> components() {
        final List<QueuedJob> all = new ArrayList<>();
        all.add(this);
        all.addAll(parts);
        return all;
    }

    /**
     * Itself, if it is a whole row of squeue's.
     *
     * @throws IllegalArgumentException if what must be an id, a number or a time is none
     */
    QueuedJob validated() {
        if (!ID.matcher(cell("jobarrayid")).matches()) {
            throw new IllegalArgumentException("'" + cell("jobarrayid") + "' is no job id");
        }
        try {
            array();
            NUMBERS.forEach(this::number);
            TIMES.forEach(this::instant);
            TimeLimits.read(cell("timelimit"));
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("job " + cell("jobarrayid") + ": " + e.getMessage(), e);
        }
        return this;
    }

    /** The tasks of an array that this row stands for; null for a job of its own. */
    @Nullable
    ArrayRange array() {
        return ArrayRange.read(cell("jobarrayid"));
    }

    JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, localId()), submitted());
    }

    /** When the job came in; Slurm's own figure only for jobs that came in past the gate. */
    Instant submitted() {
        return mark().map(AdminCommentMark::submitted).orElseGet(() -> Instant.ofEpochSecond(number("submittime")));
    }

    Optional<AdminCommentMark> mark() {
        return AdminCommentMark.in(cell("admin_comment"));
    }

    /** A cell as it stands; what Slurm prints for "none" becomes the empty text. */
    String cell(final String field) {
        final String text = raw(field);
        return text.equals("(null)") || text.equals("N/A") ? "" : text;
    }

    /** As a user wrote it, even if that is {@code (null)}. */
    String name() {
        return raw("name");
    }

    private String raw(final String field) {
        return cells.get(PLACES.getOrDefault(field, -1));
    }

    /** @throws IllegalArgumentException if it is no number */
    long number(final String field) {
        return Quantities.count(cell(field));
    }

    /** As wait(2) gives it; some versions write {@code code:signal}. */
    int exitStatus() {
        return RunOutcomes.waitStatus(cell("exit_code"));
    }

    @Nullable
    Instant instant(final String field) {
        return Timestamps.read(cell(field));
    }

    /** Where it may start, or runs; the one it prefers first. */
    List<PartitionName> partitions() {
        return NameMapping.partitions(cell("partition"));
    }

    boolean isHeld() {
        return cell("prioritylong").equals("0");
    }

    boolean isPending() {
        return cell("state").equals("PENDING");
    }

    int restarts() {
        return (int) number("restartcnt");
    }

    /** Whether the gate noted an owner's request by the far begin time. */
    boolean beginsInFarFuture() {
        final Instant eligible = instant("eligibletime");
        return eligible != null && eligible.getEpochSecond() == FAR_FUTURE;
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
