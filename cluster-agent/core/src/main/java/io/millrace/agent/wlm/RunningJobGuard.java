package io.millrace.agent.wlm;

import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Runs a command about a job only if the job is in the required state, because workload managers report success or confusing errors
 * otherwise.
 *
 * @param lookup finds the unfinished job with a key
 * @param state the job's current state
 * @param wrongState the answer for a job in another state, from the job and a reason
 */
public record RunningJobGuard<J>(
        Function<JobKey, Answer<J>> lookup,
        Function<J, JobState> state,
        BiFunction<J, String, Answer<Accepted>> wrongState) {

    public Answer<Accepted> ifRunning(final JobKey job, final Function<J, Answer<Accepted>> command) {
        return lookup.apply(job)
                .then(found -> state.apply(found) instanceof JobState.Running
                        ? command.apply(found)
                        : wrongState.apply(found, "is not running"));
    }

    public Answer<Accepted> ifSuspended(final JobKey job, final Function<J, Answer<Accepted>> command) {
        return lookup.apply(job)
                .then(found -> state.apply(found) instanceof JobState.Suspended
                        ? command.apply(found)
                        : wrongState.apply(found, "is not suspended"));
    }

    /** Like {@link #ifRunning}; {@code REJECTED} if the signal's name is not valid. */
    public Answer<Accepted> ifSignalValid(
            final JobKey job, final String signal, final Function<J, Answer<Accepted>> command) {
        return Signalling.name(signal).then(name -> ifRunning(job, command));
    }
}
