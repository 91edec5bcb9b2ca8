package io.millrace.quota.domain.priority;

import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** rules of priority change only if the asker had seen the version in force; Q-69: the file speaks until somebody has asked. */
public final class PriorityRequests {

    /** What became of a request. */
    public sealed interface Answer {

        record Granted(PriorityRulesSet set) implements Answer {}

        /** @param reason names the version in force and the remedy */
        record Refused(PriorityRulesRequested request, String reason) implements Answer {}
    }

    private PriorityRequests() {}

    public static Answer answer(final PriorityRulesRequested asked, final @Nullable PriorityRulesSet inForce) {
        final long version = inForce == null ? 0 : inForce.version();
        return asked.basedOn() == version
                ? new Answer.Granted(
                        new PriorityRulesSet(asked.rules(), asked.author(), asked.reason(), asked.requestedAt(), version + 1))
                : new Answer.Refused(
                        asked,
                        "it was based on version " + asked.basedOn() + ", in force is version " + version
                                + (inForce == null ? "" : " (by " + inForce.author() + ")")
                                + ": look again and ask anew");
    }

    /** What the file changes; empty if it says what is in force, or somebody has asked for other rules since. */
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
