package io.millrace.agent.slurm;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the gate of a directed cluster shut for jobs that {@code job_submit.lua} does not see: Slurm asks it about submissions and
 * changes, but not when a job is requeued (by its owner, or because its node failed); and it may not note an owner's wish itself.
 * A requeued job begins two minutes later, which is the time there is to notice it.
 */
final class EntryGate {

    private static final int AT_ONCE = 200;

    private EntryGate() {}

    /** What must be done so that every waiting job is where the gate means it to be; nothing, almost always. */
    static List<Update> toShut(final SlurmSite site, final List<QueuedJob> jobs) {
        final Map<String, List<String>> waiting = new LinkedHashMap<>();
        for (final QueuedJob job : jobs) {
            if (job.isPending() && needsHold(job)) {
                final String word = job.isHeld() ? Mark.USER : Mark.ENTRY;
                waiting.computeIfAbsent(comment(job, word), comment -> new ArrayList<>()).add(job.localId());
            }
        }
        final List<Update> updates = new ArrayList<>();
        waiting.forEach((comment, ids) -> chunks(ids)
                .forEach(some -> updates.add(new Update(site, some, comment, true, true))));
        return updates;
    }

    /** The ids behind the gate, as many at once as one command line takes: for {@code scontrol release}. */
    static List<List<String>> toOpen(final List<String> ids) {
        return chunks(ids);
    }

    static Answer<Accepted> carryOut(final Runner runner, final List<Update> updates) {
        Answer<Accepted> last = Answer.ok(new Accepted("nothing to do"));
        for (final Update update : updates) {
            last = runner.run(update);
        }
        return last;
    }

    private static boolean needsHold(final QueuedJob job) {
        if (job.isFarAway()) {
            return true; // an owner's hold or release that is to be noted properly
        }
        return !job.isHeld() && job.mark().filter(mark -> mark.isStartOf(job.restarts())).isEmpty();
    }

    private static String comment(final QueuedJob job, final String word) {
        return new Mark(word, job.submitted()).into(job.cell("admin_comment"));
    }

    private static List<List<String>> chunks(final List<String> ids) {
        final List<List<String>> chunks = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += AT_ONCE) {
            chunks.add(ids.subList(from, Math.min(ids.size(), from + AT_ONCE)));
        }
        return chunks;
    }
}
