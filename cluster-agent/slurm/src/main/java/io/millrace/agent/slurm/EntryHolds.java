package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.Scontrol;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.OperatorRequest;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds pending jobs of a directed cluster that lack the entry hold, and sets it. Slurm calls {@code job_submit.lua} for submissions and
 * changes, but not when the owner requeues a job or its node fails. The plugin also cannot change AdminComment when an owner holds or
 * releases a job. Slurm delays a requeued job by two minutes, which leaves time to hold it.
 */
public final class EntryHolds {

    private static final int MAX_IDS = 200;

    private EntryHolds() {}

    /** The commands that correct the holds and marks of pending jobs; usually none. */
    public static List<ChangeCommand> missing(final SlurmSite site, final List<QueuedJob> jobs) {
        final Map<HoldUpdate, List<String>> idsByUpdate = new LinkedHashMap<>();
        final List<ChangeCommand> commands = new ArrayList<>();
        for (final QueuedJob job : jobs) {
            if (!job.isPending() || TargetId.isLaterComponent(job)) {
                continue;
            }
            if (OperatorRequest.isHold(job) || OperatorRequest.isRelease(job)) {
                commands.add(OperatorRequest.confirm(site, job));
            } else if (isOwnersHold(job)) {
                commands.addAll(recordOwnersHold(site, job));
            } else if (lacksHold(job)) {
                idsByUpdate
                        .computeIfAbsent(hold(site, job), update -> new ArrayList<>())
                        .add(TargetId.of(job));
            }
        }
        idsByUpdate.forEach((update, ids) -> chunks(ids).forEach(some -> commands.add(update.withIds(some))));
        return commands;
    }

    /** Resets the far-future begin time that recorded the owner's release. Any other begin time was set by a user or by Slurm and stays. */
    private static HoldUpdate hold(final SlurmSite site, final QueuedJob job) {
        final HoldUpdate held = HoldUpdate.of(site, "", AdminCommentMark.comment(job, AdminCommentMark.ENTRY))
                .withHold();
        return job.beginsInFarFuture() ? held.beginningAt(job.earliestBegin()) : held;
    }

    private static boolean isOwnersHold(final QueuedJob job) {
        return job.beginsInFarFuture() && job.isHeld() && JobStates.of(job).equals(new JobState.Held(HoldKind.USER));
    }

    /** Converts Millrace's hold, an administrator hold to Slurm, into a hold that the owner may release. The mark is written last. */
    private static List<ChangeCommand> recordOwnersHold(final SlurmSite site, final QueuedJob job) {
        final ChangeCommand mark = HoldUpdate.of(
                        site, TargetId.of(job), AdminCommentMark.comment(job, AdminCommentMark.USER))
                .beginningAt(job.earliestBegin());
        return job.cell("reason").equals("JobHeldAdmin")
                ? List.of(Scontrol.of(site, Scontrol.Verb.UHOLD, TargetId.of(job)), mark)
                : List.of(mark);
    }

    private static boolean lacksHold(final QueuedJob job) {
        return !job.isHeld()
                && (job.beginsInFarFuture()
                        || job.mark()
                                .filter(mark -> mark.isStartAfter(job.restarts()))
                                .isEmpty());
    }

    static Answer<Accepted> execute(final Runner runner, final List<ChangeCommand> commands) {
        Answer<Accepted> last = Answer.ok(new Accepted("nothing to do"));
        for (final ChangeCommand command : commands) {
            last = runner.run(command);
        }
        return last;
    }

    /** Splits ids into lists that fit on one command line. */
    static List<List<String>> chunks(final List<String> ids) {
        final List<List<String>> chunks = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += MAX_IDS) {
            chunks.add(ids.subList(from, Math.min(ids.size(), from + MAX_IDS)));
        }
        return chunks;
    }
}
