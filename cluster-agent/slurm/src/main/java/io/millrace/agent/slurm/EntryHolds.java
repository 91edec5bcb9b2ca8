package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the gate of a directed cluster shut for jobs that {@code job_submit.lua} does not see: Slurm asks it about submissions and
 * changes, but not when a job is requeued (by its owner, or because its node failed); and it may not note an owner's wish itself.
 * A requeued job begins two minutes later, which is the time there is to notice it.
 */
final class EntryHolds {

    private static final int AT_ONCE = 200;

    private EntryHolds() {}

    /** What must be done so that every waiting job is where the gate means it to be; nothing, almost always. */
    static List<ChangeCommand> missing(final SlurmSite site, final List<QueuedJob> jobs) {
        final Map<HoldUpdate, List<String>> alike = new LinkedHashMap<>();
        final List<ChangeCommand> orders = new ArrayList<>();
        for (final QueuedJob job : jobs) {
            if (!job.isPending() || TargetId.isLaterComponent(job)) {
                continue;
            }
            if (OperatorRequest.isHold(job) || OperatorRequest.isRelease(job)) {
                orders.add(OperatorRequest.confirm(site, job));
            } else if (isOwnersHold(job)) {
                orders.addAll(notingOwnersHold(site, job));
            } else if (slippedPast(job)) {
                alike.computeIfAbsent(shut(site, job), update -> new ArrayList<>())
                        .add(TargetId.of(job));
            }
        }
        alike.forEach((update, ids) -> chunks(ids).forEach(some -> orders.add(update.withIds(some))));
        return orders;
    }

    /** The far begin time of an owner's release has done its work; any other begin time is somebody's wish, or Slurm's. */
    private static HoldUpdate shut(final SlurmSite site, final QueuedJob job) {
        final HoldUpdate held = HoldUpdate.of(site, "", AdminCommentMark.comment(job, AdminCommentMark.ENTRY))
                .withHold();
        return job.beginsInFarFuture() ? held.beginningAt(job.earliestBegin()) : held;
    }

    private static boolean isOwnersHold(final QueuedJob job) {
        return job.beginsInFarFuture() && job.isHeld() && JobStates.of(job).equals(new JobState.Held(HoldKind.USER));
    }

    /** Turns an administrator's hold, which a hold of ours is to Slurm, into one that the owner may lift; the mark comes last. */
    private static List<ChangeCommand> notingOwnersHold(final SlurmSite site, final QueuedJob job) {
        final ChangeCommand noted = HoldUpdate.of(
                        site, TargetId.of(job), AdminCommentMark.comment(job, AdminCommentMark.USER))
                .beginningAt(job.earliestBegin());
        return job.cell("reason").equals("JobHeldAdmin")
                ? List.of(Scontrol.of(site, Scontrol.Verb.UHOLD, TargetId.of(job)), noted)
                : List.of(noted);
    }

    private static boolean slippedPast(final QueuedJob job) {
        return !job.isHeld()
                && (job.beginsInFarFuture()
                        || job.mark()
                                .filter(mark -> mark.isStartAfter(job.restarts()))
                                .isEmpty());
    }

    /** The ids behind the gate, as many at once as one command line takes: for {@code scontrol release}. */
    static List<List<String>> toOpen(final List<String> ids) {
        return chunks(ids);
    }

    static Answer<Accepted> execute(final Runner runner, final List<ChangeCommand> orders) {
        Answer<Accepted> last = Answer.ok(new Accepted("nothing to do"));
        for (final ChangeCommand order : orders) {
            last = runner.run(order);
        }
        return last;
    }

    private static List<List<String>> chunks(final List<String> ids) {
        final List<List<String>> chunks = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            chunks.add(ids.subList(from, Math.min(ids.size(), from + AT_ONCE)));
        }
        return chunks;
    }
}
