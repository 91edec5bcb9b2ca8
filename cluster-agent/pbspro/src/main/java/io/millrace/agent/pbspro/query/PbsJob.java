package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.HoldTypes;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.AttemptId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A job, an array or a subjob as printed by qstat. */
public record PbsJob(PbsSite site, PbsObject object) {

    /** Substates of the PBS guide. */
    private static final int SUBSTATE_DEPENDENCY = 22;

    private static final int SUBSTATE_CHECKPOINTED = 60;
    public static final int SUBSTATE_RUNNING = 42;
    public static final int SUBSTATE_DELETED = 91;

    private static final Pattern HELD_BY = Pattern.compile("Job held by (\\S+) on .*", Pattern.DOTALL);
    private static final Pattern RESERVATION_QUEUE = Pattern.compile("[RSM]\\d+(\\..*)?");

    public String id() {
        return object.name();
    }

    public JobKey key() {
        return new JobKey(new JobId(site.cluster(), id()), submitted());
    }

    /** Whether the id and the creation time, which make its key, could be read. */
    public boolean hasKey() {
        return time("ctime") != null && PbsId.isToken(id());
    }

    /** The creation time. It does not change when the job is moved, requeued or restarted. */
    public Instant submitted() {
        final Instant created = time("ctime");
        if (created == null) {
            throw new IllegalArgumentException("job " + id() + " has an unreadable ctime: '" + object.get("ctime")
                    + "'; run qstat with the locale C");
        }
        return created;
    }

    @Nullable
    public Instant time(final String attribute) {
        return object.time(attribute, site.zone());
    }

    /** The state letter; {@code ?} if missing. */
    public char stateLetter() {
        final String state = object.get("job_state", "?").strip();
        return state.isEmpty() ? '?' : state.charAt(0);
    }

    public int substate() {
        return (int) object.number("substate", -1);
    }

    public HoldTypes holds() {
        return HoldTypes.read(object.get("Hold_Types"));
    }

    /** How often the job was started. */
    public long runCount() {
        return object.number("run_count", 0);
    }

    /** How often the job was requeued. The last run of a waiting job has ended, unless PBS has checkpointed it. */
    int restarts() {
        final boolean lastRunIsOver = isWaiting() && substate() != SUBSTATE_CHECKPOINTED;
        return (int) Math.max(0, lastRunIsOver ? runCount() : runCount() - 1);
    }

    public boolean isWaiting() {
        return switch (stateLetter()) {
            case 'Q', 'H', 'W', 'T' -> true;
            default -> false;
        };
    }

    public boolean isFinished() {
        return switch (stateLetter()) {
            case 'F', 'X', 'M' -> true;
            default -> false;
        };
    }

    public boolean isCheckpointed() {
        return stateLetter() == 'H' && substate() == SUBSTATE_CHECKPOINTED;
    }

    public boolean isArray() {
        return PbsId.in(id()).map(PbsId::isArray).orElse(false) || object.is("array");
    }

    public boolean isSubjob() {
        return PbsId.in(id()).map(PbsId::isSubjob).orElse(false);
    }

    public Optional<HoldMark> mark() {
        return HoldMark.parse(object.get("Resource_List." + HoldMark.RESOURCE));
    }

    /** The attempt from the mark, which users cannot forge, otherwise from the job's variable. */
    @Nullable
    public AttemptId attempt() {
        return mark().map(HoldMark::attempt).orElseGet(() -> JobVariables.attempt(object));
    }

    /** A new mark with this purpose for the job's current state. */
    public HoldMark newMark(final String word) {
        return new HoldMark(word, runCount(), attempt());
    }

    /** The account that set the most recent hold; empty if unknown. */
    Optional<String> heldBy() {
        final Matcher comment = HELD_BY.matcher(object.get("comment", ""));
        return comment.matches() ? Optional.of(comment.group(1).replaceFirst("@.*", "")) : Optional.empty();
    }

    /** The account of the job, without the submission host after the last @. */
    public String owner() {
        return PbsNames.owner(object);
    }

    /** The job's open dependencies, each as {@code afterok:1.server}, without those of other jobs on this one ({@code before…}). */
    public List<String> dependencies() {
        final List<String> waits = new ArrayList<>();
        for (final String dependency : object.get("depend", "").split(",")) {
            final String[] parts = dependency.strip().split(":");
            if (parts[0].startsWith("after") || parts[0].startsWith("runone")) {
                for (int at = 1; at < parts.length; at++) {
                    waits.add(parts[0] + ":" + parts[at].replaceFirst("@.*", ""));
                }
            } else if (parts[0].equals("on") && parts.length > 1) {
                waits.add("on:" + parts[1]);
            }
        }
        return waits;
    }

    /** Whether the system hold belongs to an unfulfilled dependency. */
    public boolean waitsForDependency() {
        final boolean depends = substate() < 0 ? !dependencies().isEmpty() : substate() == SUBSTATE_DEPENDENCY;
        return stateLetter() == 'H' && holds().system() && depends;
    }

    /** The requested start time; null if the job can start now. */
    @Nullable
    public Instant notBefore(final Instant now) {
        final Instant begin = time("Execution_Time");
        return isWaiting() && begin != null && begin.isAfter(now) ? begin : null;
    }

    /** Whether the job belongs to a reservation, which starts it. */
    public boolean isReserved() {
        return object.has("reserve_ID") || isReservationQueue(queue());
    }

    public String queue() {
        return object.get("queue", "").replaceFirst("@.*", "");
    }

    static boolean isReservationQueue(final String queue) {
        return RESERVATION_QUEUE.matcher(queue).matches();
    }

    /** The attribute is {@code True}, or for operators the port of the terminal. */
    boolean isInteractive() {
        return !object.get("interactive", "0").strip().matches("(?i)0|false|");
    }
}
