package io.millrace.agent.lsf;

import io.millrace.agent.lsf.observe.JobLookup;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import org.jspecify.annotations.Nullable;

/** Holds and releases jobs, with a message for their owners. */
record Holds(JobLookup lookup, HoldCommands holds, JobMessages messages, JobStarts starts) implements Holding {

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
        return messages.after(holds.hold(job, kind), job, why);
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return lookup.find(job).then(found -> {
            if (!found.state().equals(new JobState.Held(kind))) {
                return lookup.wrongState(
                        found,
                        "is not held by " + kind.holder() + " but is "
                                + found.state().phrase());
            }
            // A job that is not held itself waits for the gate; only a start releases it while the gate is closed.
            return found.job().status().equals("PSUSP")
                    ? holds.release(job, found.job().commandId())
                    : starts.start(job);
        });
    }
}
