package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requeues running jobs, with a message for their owners. */
record Requeues(HoldCommands holds, JobMessages messages, Supplier<Answer<Control>> control) implements Requeueing {

    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return control.get().then(control -> messages.after(holds.requeue(job, control == Control.DIRECTED), job, why));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return messages.after(holds.requeue(job, true), job, why);
    }
}
