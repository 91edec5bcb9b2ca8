package io.millrace.agent.slurm.query;

import io.millrace.agent.slurm.format.ArrayRange;
import io.millrace.agent.slurm.format.Quantities;
import io.millrace.agent.slurm.format.RunOutcomes;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.slurm.format.Timestamps;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.array.ArrayIndices;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code squeue}: a job, a task of an array, the pending tasks of an array, or all components of a heterogeneous job.
 *
 * @param parts the other components of a heterogeneous job; empty for every other job
 * @param merged whether squeue had merged other tasks into this row of an array; it leaves out the limit of the array then
 */
public record QueuedJob(List<String> cells, List<QueuedJob> parts, boolean merged) {

    /**
     * One cell of two fields: {@code NODE/NO} since Slurm 26.05, which moved {@code --exclusive} from {@code oversubscribe} into a field of its
     * own. Earlier releases leave out the field that they do not know, with a message on standard error: {@code OK}.
     */
    static final String SHARING = "exclusive:0/,oversubscribe";

    /** The requested fields of squeue, in the order of {@code cells}. */
    public static final List<String> FIELDS = List.of(
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
            SHARING,
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

    /** The begin time, in seconds since 1970, by which job_submit.lua records an owner's hold or release. */
    static final long FAR_FUTURE = 4_102_444_800L;

    private static final Duration AFTER_REQUEUE = Duration.ofSeconds(3);

    public QueuedJob {
        cells = List.copyOf(cells);
        parts = List.copyOf(parts);
        if (cells.size() != FIELDS.size()) {
            throw new IllegalArgumentException("a row of squeue has " + FIELDS.size() + " cells, got " + cells.size());
        }
    }

    public QueuedJob(final List<String> cells) {
        this(cells, List.of(), false);
    }

    private static Map<String, Integer> places() {
        final Map<String, Integer> places = new HashMap<>();
        for (final String field : FIELDS) {
            places.put(field, places.size());
        }
        return Map.copyOf(places);
    }

    /**
     * The job id: {@code 12}, {@code 12_3}. The pending tasks of an array have the array's id, and the components of a heterogeneous job
     * have the id of the first component.
     */
    public String localId() {
        if (isHeterogeneous()) {
            return cell("hetjobid");
        }
        return isPendingArray() ? cell("arrayjobid") : cell("jobarrayid");
    }

    /** Whether this row is the pending tasks of an array, into which squeue merges those that are jobs of their own. */
    boolean isPendingArray() {
        return cell("jobarrayid").indexOf('[') >= 0;
    }

    /** This row of an array without these tasks of it and their reasons, which squeue adds to that of the array; empty if none is left. */
    Optional<QueuedJob> without(final List<QueuedJob> tasks) {
        final ArrayRange array = array();
        if (tasks.isEmpty() || array == null) {
            return Optional.of(this);
        }
        final String left = ArrayIndices.without(
                array.indices(),
                tasks.stream()
                        .flatMapToInt(QueuedJob::tasks)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(",")));
        String reason = raw("reason");
        for (final String merged :
                tasks.stream().map(task -> task.raw("reason")).collect(Collectors.toSet())) {
            reason = reason.replace("," + merged, "");
        }
        if (left.isEmpty()) {
            return Optional.empty();
        }
        final List<String> rest = new ArrayList<>(cells);
        rest.set(
                place("jobarrayid"),
                TargetId.of(cell("arrayjobid"), left + (array.atOnce() == null ? "" : "%" + array.atOnce())));
        rest.set(place("reason"), reason);
        return Optional.of(new QueuedJob(rest, parts, true));
    }

    /** The same for all components of a heterogeneous job, unique for every other row. */
    String rowKey() {
        return isHeterogeneous() ? cell("hetjobid") : cell("jobarrayid") + "@" + submitted();
    }

    private boolean isHeterogeneous() {
        final String leader = cell("hetjobid");
        return !leader.isEmpty() && !leader.equals("0");
    }

    /** This heterogeneous job with one more component. An unfinished component represents the job, otherwise the first one does. */
    QueuedJob withComponent(final QueuedJob component) {
        final boolean other = JobStates.isEnded(this) && !JobStates.isEnded(component)
                || JobStates.isEnded(this) == JobStates.isEnded(component)
                        && component.cell("jobarrayid").endsWith("+0");
        final List<QueuedJob> rest = new ArrayList<>(parts);
        rest.add(new QueuedJob(other ? cells : component.cells));
        return new QueuedJob(other ? component.cells : cells, rest, false);
    }

    /** This row and the other components of the same job. */
    List<QueuedJob> components() {
        final List<QueuedJob> all = new ArrayList<>();
        all.add(this);
        all.addAll(parts);
        return all;
    }

    /**
     * This row, after a check of its cells.
     *
     * @throws IllegalArgumentException if a cell is not a valid id, number or time
     */
    QueuedJob validated() {
        if (!ID.matcher(cell("jobarrayid")).matches()) {
            throw new IllegalArgumentException("'" + cell("jobarrayid") + "' is not a job id");
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

    /** The array tasks of this row; null for a job outside an array. */
    @Nullable
    ArrayRange array() {
        return ArrayRange.read(cell("jobarrayid"));
    }

    /** The indices of the array tasks of this row; empty for a job outside an array. */
    public IntStream tasks() {
        final ArrayRange array = array();
        return array == null ? IntStream.empty() : ArrayIndices.read(array.indices());
    }

    public JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, localId()), submitted());
    }

    /** The first submit time, from the mark; Slurm's SubmitTime if the job has no mark. */
    public Instant submitted() {
        return mark().map(AdminCommentMark::submitted).orElseGet(() -> Instant.ofEpochSecond(number("submittime")));
    }

    public Optional<AdminCommentMark> mark() {
        return AdminCommentMark.in(cell("admin_comment"));
    }

    /** The text of a cell; empty if Slurm printed {@code (null)} or {@code N/A}. */
    public String cell(final String field) {
        final String text = raw(field);
        return text.equals("(null)") || text.equals("N/A") ? "" : text;
    }

    /** The job name as its owner wrote it, even if that is {@code (null)}. */
    String name() {
        return raw("name");
    }

    private String raw(final String field) {
        return cells.get(place(field));
    }

    private static int place(final String field) {
        return PLACES.getOrDefault(field, -1);
    }

    /** @throws IllegalArgumentException if the cell is not a number */
    long number(final String field) {
        return Quantities.count(cell(field));
    }

    /** The wait status as in wait(2). Some versions print {@code code:signal}. */
    public int exitStatus() {
        return RunOutcomes.waitStatus(cell("exit_code"));
    }

    @Nullable
    public Instant instant(final String field) {
        return Timestamps.read(cell(field));
    }

    /** The partitions in which the job may start or runs; the preferred one first. */
    public List<PartitionName> partitions() {
        return NameMapping.partitions(cell("partition"));
    }

    public boolean isHeld() {
        return cell("prioritylong").equals("0");
    }

    public boolean isPending() {
        return cell("state").equals("PENDING");
    }

    public int restarts() {
        return (int) number("restartcnt");
    }

    /** Whether job_submit.lua recorded an owner's hold or release by {@link #FAR_FUTURE}. */
    public boolean beginsInFarFuture() {
        final Instant eligible = instant("eligibletime");
        return eligible != null && eligible.getEpochSecond() == FAR_FUTURE;
    }

    /**
     * The earliest time at which the job can begin. After a requeue, slurmd rejects a run that starts too soon ("Job credential revoked"),
     * and the job counts as failed. The new credential must be at least one full second, by slurmctld's clock, younger than the requeue.
     * Slurm's own delay is two minutes. Slurm records the requeue as the submit time.
     */
    public Instant earliestBegin() {
        final Instant entered = Instant.ofEpochSecond(number("submittime"));
        return restarts() == 0 ? entered : entered.plus(AFTER_REQUEUE);
    }
}
