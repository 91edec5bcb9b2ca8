package io.millrace.agent.pbspro;

import io.millrace.agent.pbs.HoldTypes;
import io.millrace.agent.pbs.PbsId;
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

/** A job, an array or a subjob, as qstat prints it. */
record PbsJob(PbsSite site, PbsObject object) {

    /** Substates, from PBS's guide: waiting for other jobs; saved and held; starting. */
    private static final int SUBSTATE_DEPENDENCY = 22;

    private static final int SUBSTATE_CHECKPOINTED = 60;
    static final int SUBSTATE_RUNNING = 42;
    static final int SUBSTATE_DELETED = 91;

    private static final Pattern HELD_BY = Pattern.compile("Job held by (\\S+) on .*", Pattern.DOTALL);
    private static final Pattern RESERVATION_QUEUE = Pattern.compile("[RSM]\\d+(\\..*)?");

    String id() {
        return object.name();
    }

    JobKey key() {
        return new JobKey(new JobId(site.cluster(), id()), submitted());
    }

    /** The creation time: it stays when the job moves, waits again or is restarted. */
    Instant submitted() {
        final Instant created = time("ctime");
        if (created == null) {
            throw new IllegalArgumentException("job " + id() + " has no ctime that can be read: '" + object.get("ctime")
                    + "'; is the locale of qstat not C?");
        }
        return created;
    }

    @Nullable
    Instant time(final String attribute) {
        return object.time(attribute, site.zone());
    }

    /** The state's letter; {@code ?} if there is none. */
    char stateLetter() {
        final String state = object.get("job_state", "?").strip();
        return state.isEmpty() ? '?' : state.charAt(0);
    }

    int substate() {
        return (int) object.number("substate", -1);
    }

    HoldTypes holds() {
        return HoldTypes.read(object.get("Hold_Types"));
    }

    /** How often it was started. */
    long runCount() {
        return object.number("run_count", 0);
    }

    /** How often it was put back: a waiting job's last run is behind it, but for one that PBS has saved. */
    int restarts() {
        final boolean lastRunIsOver = isWaiting() && substate() != SUBSTATE_CHECKPOINTED;
        return (int) Math.max(0, lastRunIsOver ? runCount() : runCount() - 1);
    }

    boolean isWaiting() {
        return switch (stateLetter()) {
            case 'Q', 'H', 'W', 'T' -> true;
            default -> false;
        };
    }

    boolean isFinished() {
        return switch (stateLetter()) {
            case 'F', 'X', 'M' -> true;
            default -> false;
        };
    }

    boolean isCheckpointed() {
        return stateLetter() == 'H' && substate() == SUBSTATE_CHECKPOINTED;
    }

    boolean isArray() {
        return PbsId.in(id()).map(PbsId::isArray).orElse(false) || object.is("array");
    }

    boolean isSubjob() {
        return PbsId.in(id()).map(PbsId::isSubjob).orElse(false);
    }

    Optional<HoldMark> mark() {
        return HoldMark.parse(object.get("Resource_List." + HoldMark.RESOURCE));
    }

    /** The mark where there is one, since nobody can forge it; else the variable it was handed in with. */
    @Nullable
    AttemptId attempt() {
        return mark().map(HoldMark::attempt).orElseGet(() -> JobVariables.attempt(object));
    }

    /** The mark with this word for the job as it is now. */
    HoldMark newMark(final String word) {
        return new HoldMark(word, runCount(), attempt());
    }

    /** Who set the hold that was set last; empty if PBS does not say. */
    Optional<String> heldBy() {
        final Matcher comment = HELD_BY.matcher(object.get("comment", ""));
        return comment.matches() ? Optional.of(comment.group(1).replaceFirst("@.*", "")) : Optional.empty();
    }

    /** The account it runs as; the host behind the last at-sign is where it was handed in. */
    String owner() {
        final String owner = object.get("Job_Owner", "");
        final int at = owner.lastIndexOf('@');
        return at < 0 ? owner : owner.substring(0, at);
    }

    /** What it waits for, each as {@code afterok:1.server}. What waits for it ({@code before…}) is left out. */
    List<String> dependencies() {
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

    /** A system hold stands for an unfulfilled dependency. */
    boolean waitsForDependency() {
        final boolean depends = substate() < 0 ? !dependencies().isEmpty() : substate() == SUBSTATE_DEPENDENCY;
        return stateLetter() == 'H' && holds().system() && depends;
    }

    /** Not to begin before this time, as its owner asked; null if it may begin now. */
    @Nullable
    Instant notBefore(final Instant now) {
        final Instant begin = time("Execution_Time");
        return isWaiting() && begin != null && begin.isAfter(now) ? begin : null;
    }

    /** Whether it runs in a reservation of its owner's, which starts it. */
    boolean isReserved() {
        return object.has("reserve_ID") || isReservationQueue(queue());
    }

    String queue() {
        return object.get("queue", "").replaceFirst("@.*", "");
    }

    static boolean isReservationQueue(final String queue) {
        return RESERVATION_QUEUE.matcher(queue).matches();
    }

    /** {@code True}, or for an operator the port of its terminal. */
    boolean isInteractive() {
        return !object.get("interactive", "0").strip().matches("(?i)0|false|");
    }
}
