package io.millrace.agent.torque.command;

import io.millrace.agent.torque.query.ReportedJobs;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.HoldKind;
import org.jspecify.annotations.Nullable;

/** HoldCommands and releases jobs, and each waiting task of an array. */
public record Holds(ReportedJobs reported, HoldCommands holds) implements Holding {

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
        return reported.each(job, (seen, control) -> holds.hold(seen, kind, control, why));
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return reported.each(job, (seen, control) -> holds.release(seen, kind, control));
    }
}
