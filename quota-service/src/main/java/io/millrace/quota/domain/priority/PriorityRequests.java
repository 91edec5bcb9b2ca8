package io.millrace.quota.domain.priority;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** priority rules change only on the version in force. Q-69: the file applies until a request has changed the rules. */
public final class PriorityRequests {

    /** The answer to a request. */
    public sealed interface Answer {

        record Granted(PriorityRulesSet set) implements Answer {}

        /** @param reason names the version in force and the remedy */
        record Refused(PriorityRulesRequested request, String reason) implements Answer {}
    }

    private PriorityRequests() {}

    public static Answer answer(final PriorityRulesRequested request, final @Nullable PriorityRulesSet inForce) {
        final long version = inForce == null ? 0 : inForce.version();
        return request.basedOn() == version
                ? new Answer.Granted(new PriorityRulesSet(
                        request.rules(), request.author(), request.reason(), request.requestedAt(), version + 1))
                : new Answer.Refused(
                        request,
                        "the request is based on version " + request.basedOn() + ", but version " + version
                                + (inForce == null ? "" : " (by " + inForce.author() + ")")
                                + " is in force; read the current version and retry");
    }

    /** What the file changes; empty if its rules are in force, or a request has set other rules. */
    public static Optional<PriorityRulesSet> fromFile(
            final PriorityRules file, final @Nullable PriorityRulesSet inForce, final Instant now) {
        if (inForce == null) {
            return Optional.of(new PriorityRulesSet(file, QuotaFileMerge.FILE, "from the priority file", now, 1));
        }
        return inForce.rules().equals(file) || !inForce.author().equals(QuotaFileMerge.FILE)
                ? Optional.empty()
                : Optional.of(new PriorityRulesSet(
                        file, QuotaFileMerge.FILE, "from the priority file", now, inForce.version() + 1));
    }
}
