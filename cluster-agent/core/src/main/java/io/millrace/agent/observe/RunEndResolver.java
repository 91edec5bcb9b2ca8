package io.millrace.agent.observe;

import io.millrace.agent.checkpoint.CheckpointStore;
import io.millrace.agent.domain.Run;
import io.millrace.agent.domain.RunSettlement;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Accounting;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out how runs ended, by one query to accounting for all of them. */
public final class RunEndResolver {

    private static final Logger LOG = LoggerFactory.getLogger(RunEndResolver.class);

    private final WorkloadManager wlm;
    private final CheckpointStore saved;
    private final Duration deadline;
    private final Set<JobKey> paused = ConcurrentHashMap.newKeySet();
    private @Nullable Instant answering;

    public RunEndResolver(final WorkloadManager wlm, final CheckpointStore saved, final Duration deadline) {
        this.wlm = wlm;
        this.saved = saved;
        this.deadline = deadline;
    }

    /** While it is open, the job is shown as last published, because the end of its run is being determined. */
    public interface Pause extends AutoCloseable {
        @Override
        void close();
    }

    public Pause pause(final JobKey job) {
        paused.add(job);
        return () -> paused.remove(job);
    }

    boolean isPaused(final JobKey job) {
        return paused.contains(job);
    }

    /** Records a checkpoint: the work of this run before it is not lost. */
    public void saved(final CheckpointStore.Entry entry) {
        saved.put(entry);
    }

    /** Discards a checkpoint, because the run continues. */
    public void notSaved(final JobKey job) {
        saved.remove(job);
    }

    RunSettlement settle(final Collection<JobObserved> before, final Collection<JobObserved> now, final Instant at) {
        final List<JobObserved> rejoined = rejoined(before, now);
        final Collection<JobObserved> prior = new ArrayList<>(before);
        prior.removeAll(rejoined);
        final List<JobKey> asked = new ArrayList<>(RunSettlement.missingEnds(prior, now));
        rejoined.forEach(job -> asked.add(job.job()));
        if (asked.isEmpty()) {
            return RunSettlement.of(prior, now, List.of(), Map.of(), at, at, deadline);
        }
        final Answer<List<Run>> facts = ask(asked);
        if (facts instanceof Answer.Trouble<List<Run>> trouble) {
            LOG.atWarn()
                    .addKeyValue("reason", trouble.reason())
                    .log("accounting does not answer; {} jobs stay unsettled", asked.size());
            answering = null;
            return RunSettlement.of(prior, now, List.of(), saved.all(), at, null, deadline);
        }
        if (answering == null) {
            answering = at;
        }
        return RunSettlement.of(
                        withoutDissolved(prior, asked, facts.get()),
                        now,
                        facts.get(),
                        saved.all(),
                        at,
                        answering,
                        deadline)
                .withRequeued(rejoined, facts.get(), saved.all());
    }

    /**
     * Array tasks that were separate jobs and are now pending in the record of their array again, such as requeued subjobs of PBS. They have
     * not ended.
     */
    private static List<JobObserved> rejoined(final Collection<JobObserved> prior, final Collection<JobObserved> now) {
        final Map<JobKey, JobObserved> arrays = now.stream()
                .filter(RunEndResolver::isArray)
                .collect(Collectors.toMap(JobObserved::job, Function.identity(), (a, b) -> b));
        return arrays.isEmpty()
                ? List.of()
                : prior.stream().filter(job -> isAmong(job, arrays)).toList();
    }

    private static boolean isAmong(final JobObserved job, final Map<JobKey, JobObserved> arrays) {
        final ArrayTasks task = job.detail().array();
        if (task == null || isArray(job)) {
            return false;
        }
        final JobObserved array = arrays.get(new JobKey(
                new JobId(job.job().cluster(), task.array()), job.job().submittedAt()));
        final ArrayTasks waiting = array == null ? null : array.detail().array();
        return waiting != null && ArrayIndices.contains(waiting.indices(), task.indices());
    }

    /** Removes arrays that are gone only because their last pending tasks became separate jobs. They have not ended. */
    private Collection<JobObserved> withoutDissolved(
            final Collection<JobObserved> prior, final Collection<JobKey> asked, final Collection<Run> facts) {
        final Set<JobKey> ended = facts.stream()
                .filter(fact -> fact.outcome().endsTheKey())
                .map(Run::job)
                .collect(Collectors.toSet());
        final Set<JobKey> gone = Set.copyOf(asked);
        final List<JobKey> arrays = prior.stream()
                .filter(RunEndResolver::isArray)
                .map(JobObserved::job)
                .filter(job -> gone.contains(job) && !ended.contains(job))
                .toList();
        if (arrays.isEmpty() || !(wlm.find(Accounting.class) instanceof Accounting accounting)) {
            return prior;
        }
        return AdapterCall.of("accounting", () -> accounting.dissolved(arrays)) instanceof Answer.Ok<Set<JobKey>> ok
                ? prior.stream().filter(job -> !ok.value().contains(job.job())).toList()
                : prior;
    }

    private static boolean isArray(final JobObserved job) {
        final ArrayTasks array = job.detail().array();
        return array != null && array.array().equals(job.job().id().local());
    }

    /** Called when a settlement is in Kafka. */
    void published(final RunSettlement settlement) {
        settlement.ends().stream().map(RunEnded::job).forEach(saved::remove);
    }

    /** Ended runs of these jobs; empty if accounting does not answer. */
    public List<Run> endedRuns(final Collection<JobKey> jobs) {
        return ask(jobs) instanceof Answer.Ok<List<Run>> ok ? ok.value() : List.of();
    }

    private Answer<List<Run>> ask(final Collection<JobKey> jobs) {
        if (jobs.isEmpty() || !(wlm.find(Accounting.class) instanceof Accounting accounting)) {
            return Answer.ok(List.of());
        }
        return AdapterCall.of("accounting", () -> accounting.ended(jobs));
    }
}
