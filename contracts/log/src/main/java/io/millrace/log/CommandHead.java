package io.millrace.log;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.time.Instant;

/**
 * The identity of a command that this release cannot read in full because a newer one wrote it: enough to answer it.
 *
 * @param action name of the action, which this release may not know
 */
public record CommandHead(CommandId id, ClusterId cluster, Issuer issuer, String action, String subject) {

    /** The answer to a command that this release does not understand. */
    public Outcome unsupported(final Instant at, final String reason) {
        return new Outcome(id, cluster, issuer, action, subject, at, new Result.Refused(Refusal.UNSUPPORTED, reason));
    }
}
