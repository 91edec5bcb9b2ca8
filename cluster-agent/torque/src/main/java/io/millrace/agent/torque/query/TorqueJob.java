package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.ExecHost;
import io.millrace.agent.pbs.HoldTypes;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job as printed by {@code qstat}. Attributes that an older version lacks read as missing. */
public record TorqueJob(PbsObject object) {

    /** The id that commands accept: {@code 12.server}, {@code 5[1].server}. */
    public String localId() {
        return object.name();
    }

    public JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, localId()), submitted());
    }

    /** Whether the id and the creation time, which make its key, could be read. */
    public boolean hasKey() {
        return instant("ctime") != null && PbsId.isToken(localId());
    }

    /** The creation time. A requeue does not change it. */
    Instant submitted() {
        final Instant created = instant("ctime");
        return created == null ? Instant.EPOCH : created;
    }

    /** Times in plain text are in UTC, because qstat runs in that time zone. */
    @Nullable
    public Instant instant(final String attribute) {
        return object.time(attribute, ZoneOffset.UTC);
    }

    public String queue() {
        return object.get("queue", "").strip();
    }

    /** The state letter. */
    public String stateLetter() {
        return object.get("job_state", "").strip();
    }

    public boolean isCompleted() {
        return stateLetter().equals("C");
    }

    public HoldTypes holds() {
        return HoldTypes.read(object.get("Hold_Types"));
    }

    /** The comment; empty if there are two, because one of them may be forged by a user. */
    String comment() {
        return object.all("comment").size() == 1 ? object.get("comment", "").strip() : "";
    }

    /** Millrace's mark, if the job has the hold of the mark's type. */
    public Optional<HoldMark> mark() {
        return HoldMark.parse(comment())
                .filter(mark -> !mark.purpose().equals(HoldMark.FREE) && isHeldBy(mark.holdType()));
    }

    public boolean isHeldBy(final char letter) {
        return holds().letters().indexOf(letter) >= 0;
    }

    /** The holds other than Millrace's. */
    HoldTypes otherHolds() {
        return mark().map(mark -> HoldTypes.read(holds().letters().replace(String.valueOf(mark.holdType()), "")))
                .orElseGet(this::holds);
    }

    public Map<String, String> variables() {
        return JobVariables.read(object.get("Variable_List", ""));
    }

    /** The owner without the submission host. */
    public String owner() {
        return PbsNames.owner(object);
    }

    /** The open dependencies of this job, without those of other jobs on it. */
    public List<String> dependencies() {
        return Arrays.stream(object.get("depend", "").split(","))
                .map(String::strip)
                .filter(one -> one.startsWith("after") || one.startsWith("on:") || one.startsWith("syncwith"))
                .toList();
    }

    Map<String, Integer> hosts() {
        return ExecHost.cores(object.get("exec_host"));
    }

    public boolean hasStarted() {
        return object.has("start_time") || object.has("session_id") || object.has("exec_host");
    }

    /**
     * How often the job was requeued. Torque counts starts: each start of a waiting job was followed by a requeue. OpenPBS 2.3 does
     * not count, so Millrace counts in its mark.
     */
    public int restarts() {
        final long starts = object.number("start_count", -1);
        if (starts < 0) {
            return HoldMark.parse(comment()).map(HoldMark::restarts).orElse(0);
        }
        final boolean waits = stateLetter().matches("[QHWT]");
        return (int) Math.max(0, waits ? starts : starts - 1);
    }

    boolean isInteractive() {
        return object.is("interactive");
    }

    public boolean isRerunnable() {
        return !object.has("Rerunable") || object.is("Rerunable");
    }

    /** The requested nodes. OpenPBS 2.3 also has {@code ncpus}, and newer Torque has {@code procs}. */
    public NodeSpec nodeSpec() {
        final String nodes = object.get("Resource_List.nodes", object.get("Resource_List.neednodes", ""));
        if (!nodes.isBlank()) {
            return NodeSpec.read(nodes);
        }
        final long alone =
                Math.max(object.number("Resource_List.ncpus", 1), Math.max(object.number("Resource_List.procs", 1), 1));
        return new NodeSpec(List.of(new NodeSpec.Part(1, (int) alone, 0, List.of())));
    }

    /** Whether the cores can be on any nodes, regardless of the specification. */
    public boolean allowsAnyNodes() {
        return variables().containsKey(JobVariables.SPREAD)
                || (!object.has("Resource_List.nodes") && object.has("Resource_List.procs"));
    }
}
