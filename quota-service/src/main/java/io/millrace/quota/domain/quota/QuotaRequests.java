package io.millrace.quota.domain.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaTerms;
import io.millrace.model.policy.Request.QuotaRequested;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** a quota changes only if the asker had seen the version in force; of two askers at once the second is refused. */
public final class QuotaRequests {

    /** What became of a request. */
    public sealed interface Answer {

        record Granted(Quota quota) implements Answer {}

        /** @param reason names the version in force and the remedy */
        record Refused(QuotaRequested request, String reason) implements Answer {}
    }

    /** Cores or GPUs of the largest quota: more is a slip of the pen. */
    public static final int MAX_CORES = 100_000_000;

    private QuotaRequests() {}

    public static Answer answer(final QuotaRequested asked, final ActiveQuotas book) {
        final Quota inForce = book.find(asked.heldBy(), asked.cluster());
        final long version = inForce == null ? 0 : inForce.version();
        if (asked.cores() < 0) {
            return new Answer.Refused(asked, "a quota cannot be negative: " + asked.cores() + " cores");
        }
        if (asked.cores() > MAX_CORES) {
            return new Answer.Refused(
                    asked, asked.cores() + " cores are more than any centre has (at most " + MAX_CORES + ")");
        }
        final Optional<String> flaw = flaw(asked.cluster(), asked.allTerms());
        if (flaw.isPresent()) {
            return new Answer.Refused(asked, flaw.get());
        }
        if (asked.basedOn() != version) {
            return new Answer.Refused(
                    asked,
                    "it was based on version " + asked.basedOn() + ", in force is version " + version
                            + (inForce == null ? "" : " (" + inForce.cores() + " cores, by " + inForce.author() + ")")
                            + ": look again and ask anew");
        }
        return new Answer.Granted(Quota.of(
                asked.heldBy(),
                asked.cluster(),
                asked.cores(),
                asked.allTerms(),
                asked.author(),
                asked.reason(),
                asked.requestedAt(),
                version + 1));
    }

    /** speak of the cores of one cluster. */
    static Optional<String> flaw(final @Nullable ClusterId on, final QuotaTerms terms) {
        return on == null && (terms.mayBorrow() != null || terms.mayLend() != null)
                ? Optional.of(
                        "limits on borrowing and lending hold on one cluster: set them on a quota of a cluster, not on one"
                                + " of all clusters")
                : Optional.empty();
    }
}
