package io.millrace.agent.openpbs;

import io.millrace.agent.pbs.ExecHost;
import io.millrace.agent.pbs.HoldTypes;
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

/** A job as {@code qstat} tells of it; what an older version does not tell reads as not stated. */
record TorqueJob(PbsObject told) {

    /** The id that commands take: {@code 12.server}, {@code 5[1].server}. */
    String localId() {
        return told.name();
    }

    JobKey key(final ClusterId cluster) {
        return new JobKey(new JobId(cluster, localId()), submitted());
    }

    /** When the server accepted it; a requeue does not change that. */
    Instant submitted() {
        final Instant created = instant("ctime");
        return created == null ? Instant.EPOCH : created;
    }

    /** Plain text comes in UTC because it is asked for in UTC. */
    @Nullable
    Instant instant(final String attribute) {
        return told.time(attribute, ZoneOffset.UTC);
    }

    String queue() {
        return told.get("queue", "").strip();
    }

    /** The one letter of its state. */
    String letter() {
        return told.get("job_state", "").strip();
    }

    boolean isCompleted() {
        return letter().equals("C");
    }

    HoldTypes holds() {
        return HoldTypes.read(told.get("Hold_Types"));
    }

    /** The comment; nothing if it stands there twice, for then somebody may have made up one of them. */
    String comment() {
        return told.all("comment").size() == 1 ? told.get("comment", "").strip() : "";
    }

    /** Millrace's mark, if the hold that carries it is there. */
    Optional<HoldMark> mark() {
        return HoldMark.in(comment()).filter(mark -> !mark.word().equals(HoldMark.FREE) && isHeldBy(mark.letter()));
    }

    boolean isHeldBy(final char letter) {
        return holds().letters().indexOf(letter) >= 0;
    }

    /** Holds beside the one that carries the mark. */
    HoldTypes holdsOfOthers() {
        return mark().map(mark -> HoldTypes.read(holds().letters().replace(String.valueOf(mark.letter()), "")))
                .orElseGet(this::holds);
    }

    Map<String, String> variables() {
        return JobVariables.read(told.get("Variable_List", ""));
    }

    /** The user that it belongs to, without the host it came from. */
    String owner() {
        final String owner = told.get("Job_Owner", "");
        final int at = owner.lastIndexOf('@');
        return at > 0 ? owner.substring(0, at) : owner;
    }

    /** What it still waits for; the server takes away what is fulfilled. What others wait for of it is left out. */
    List<String> waitsFor() {
        return Arrays.stream(told.get("depend", "").split(","))
                .map(String::strip)
                .filter(one -> one.startsWith("after") || one.startsWith("on:") || one.startsWith("syncwith"))
                .toList();
    }

    Map<String, Integer> hosts() {
        return ExecHost.cores(told.get("exec_host"));
    }

    boolean hasBegun() {
        return told.has("start_time") || told.has("session_id") || told.has("exec_host");
    }

    /**
     * How often it was put back. Starts are counted by Torque (not by the classic OpenPBS, where Millrace counts in its mark); while it
     * waits each of them was followed by a requeue.
     */
    int restarts() {
        final long starts = told.number("start_count", -1);
        if (starts < 0) {
            return HoldMark.in(comment()).map(HoldMark::restarts).orElse(0);
        }
        final boolean waits = letter().matches("[QHWT]");
        return (int) Math.max(0, waits ? starts : starts - 1);
    }

    boolean isInteractive() {
        return told.is("interactive");
    }

    boolean isRerunnable() {
        return !told.has("Rerunable") || told.is("Rerunable");
    }

    /** What it asks for. The classic OpenPBS also knows {@code ncpus}, newer Torque {@code procs}. */
    NodeSpec spec() {
        final String nodes = told.get("Resource_List.nodes", told.get("Resource_List.neednodes", ""));
        if (!nodes.isBlank()) {
            return NodeSpec.read(nodes);
        }
        final long alone =
                Math.max(told.number("Resource_List.ncpus", 1), Math.max(told.number("Resource_List.procs", 1), 1));
        return new NodeSpec(List.of(new NodeSpec.Part(1, (int) alone, 0, List.of())));
    }

    /** Whether its cores may lie on any nodes, whatever its spec says. */
    boolean mayBeSpread() {
        return variables().containsKey(JobVariables.SPREAD)
                || (!told.has("Resource_List.nodes") && told.has("Resource_List.procs"));
    }
}
