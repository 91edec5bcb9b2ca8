package io.millrace.agent.wlm;

import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Suspending;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Suspends, resumes and signals jobs, after it has checked their state: most workload managers report success for jobs in other states,
 * without an effect.
 *
 * @param lookup finds the unfinished job with a key
 * @param state the job's current state
 * @param wrongState the answer for a job in another state, from the job and a reason
 * @param suspend the command for a running job
 * @param resume the command for a suspended job
 * @param signal the command for a running job and a valid signal name
 */
public record RunningJobs<J>(
        Function<JobKey, Answer<J>> lookup,
        Function<J, JobState> state,
        BiFunction<J, String, Answer<Accepted>> wrongState,
        Function<J, Answer<Accepted>> suspend,
        Function<J, Answer<Accepted>> resume,
        BiFunction<J, String, Answer<Accepted>> signal)
        implements Suspending, Signalling {

    @Override
    public Answer<Accepted> suspend(final JobKey job) {
        return ifRunning(job, suspend);
    }

    @Override
    public Answer<Accepted> resume(final JobKey job) {
        return lookup.apply(job)
                .then(found -> state.apply(found) instanceof JobState.Suspended
                        ? resume.apply(found)
                        : wrongState.apply(found, "is not suspended"));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String name) {
        return Signalling.name(name).then(valid -> ifRunning(job, found -> signal.apply(found, name)));
    }

    private Answer<Accepted> ifRunning(final JobKey job, final Function<J, Answer<Accepted>> command) {
        return lookup.apply(job)
                .then(found -> state.apply(found) instanceof JobState.Running
                        ? command.apply(found)
                        : wrongState.apply(found, "is not running"));
    }
}
