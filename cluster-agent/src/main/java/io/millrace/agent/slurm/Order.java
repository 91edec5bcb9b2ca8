package io.millrace.agent.slurm;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import java.util.Map;

/** A command that changes something and says nothing when it has. */
interface Order extends CommandLine<Accepted> {

    SlurmSite site();

    /** What it did, for people. */
    String done();

    @Override
    default Map<String, String> environment() {
        return site().acting();
    }

    @Override
    default Answer<Accepted> read(final CommandResult result) {
        // scancel prints its complaints and may exit with 0 all the same.
        return result.succeeded() && !result.complaint().contains("error:")
                ? Answer.ok(new Accepted(done()))
                : Complaint.of("'" + String.join(" ", argv().subList(0, 2)) + "'", result, Answer.Kind.REJECTED);
    }
}
