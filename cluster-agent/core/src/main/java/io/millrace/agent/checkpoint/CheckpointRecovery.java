package io.millrace.agent.checkpoint;

import io.millrace.agent.observe.RunEndResolver;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.command.Result;
import java.util.List;
import java.util.Map;

/** Completes checkpoints that a crash interrupted. */
public final class CheckpointRecovery {

    private final RunEndResolver ends;
    private final CheckpointRequeue cut;
    private final Map<JobKey, CheckpointStore.Entry> saved;

    /** @param saved checkpoints of runs that had not been published as ended when the agent started */
    public CheckpointRecovery(
            final RunEndResolver ends, final CheckpointRequeue cut, final Map<JobKey, CheckpointStore.Entry> saved) {
        this.ends = ends;
        this.cut = cut;
        this.saved = Map.copyOf(saved);
    }

    /** The key under which the job continues. */
    public JobKey next(final JobKey victim) {
        final CheckpointStore.Entry entry = saved.get(victim);
        return entry == null ? victim : entry.next();
    }

    /** Victims with a checkpoint get the rest of their walltime; a victim that still runs was not preempted. */
    public void setRemainingWalltimes(final List<JobKey> victims) throws InterruptedException {
        for (final JobKey victim : victims) {
            final CheckpointStore.Entry entry = saved.get(victim);
            if (entry != null && cut.running(victim) instanceof Answer.Ok<JobObserved>) {
                ends.notSaved(victim);
            } else if (entry != null) {
                cut.setRemainingWalltime(entry);
            }
        }
    }

    /** The result of a checkpoint, after the rest of its walltime is set. Setting it again changes nothing. */
    public Result completed(final JobKey job, final Result result) throws InterruptedException {
        final CheckpointStore.Entry entry = saved.get(job);
        if (!(result instanceof Result.Done done)) {
            ends.notSaved(job);
            return result;
        }
        if (entry == null) {
            return result;
        }
        return new Result.Done(
                done.job() == null ? entry.continuedAs() : done.job(), done.detail() + cut.setRemainingWalltime(entry));
    }
}
