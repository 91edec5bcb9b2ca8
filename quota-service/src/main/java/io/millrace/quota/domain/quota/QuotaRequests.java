package io.millrace.quota.domain.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaTerms;
import io.millrace.model.policy.Request.QuotaRequested;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** a request changes a quota only if it is based on the version in force. */
public final class QuotaRequests {

    /** The answer to a request. */
    public sealed interface Answer {

        record Granted(Quota quota) implements Answer {}

        /** @param reason names the version in force and the remedy */
        record Refused(QuotaRequested request, String reason) implements Answer {}
    }

    /** Cores or GPUs of the largest quota; a larger number is a typing error. */
    public static final int MAX_CORES = 100_000_000;

    private QuotaRequests() {}

    public static Answer answer(final QuotaRequested request, final ActiveQuotas activeQuotas) {
        final Quota inForce = activeQuotas.find(request.heldBy(), request.cluster());
        final long version = inForce == null ? 0 : inForce.version();
        if (request.cores() < 0) {
            return new Answer.Refused(request, "a quota cannot be negative: " + request.cores() + " cores");
        }
        if (request.cores() > MAX_CORES) {
            return new Answer.Refused(request, request.cores() + " cores are too many: use at most " + MAX_CORES);
        }
        final Optional<String> flaw = flaw(request.cluster(), request.allTerms());
        if (flaw.isPresent()) {
            return new Answer.Refused(request, flaw.get());
        }
        if (request.basedOn() != version) {
            return new Answer.Refused(
                    request,
                    "the request is based on version " + request.basedOn() + ", but version " + version
                            + (inForce == null ? "" : " (" + inForce.cores() + " cores, by " + inForce.author() + ")")
                            + " is in force; read the current version and retry");
        }
        return new Answer.Granted(Quota.of(
                request.heldBy(),
                request.cluster(),
                request.cores(),
                request.allTerms(),
                request.author(),
                request.reason(),
                request.requestedAt(),
                version + 1));
    }

    /** apply to quotas of one cluster only. */
    static Optional<String> flaw(final @Nullable ClusterId on, final QuotaTerms terms) {
        return on == null && (terms.borrowingLimit() != null || terms.lendingLimit() != null)
                ? Optional.of(
                        "borrowingLimit and lendingLimit apply to quotas of one cluster: remove them from the quota of all clusters")
                : Optional.empty();
    }
}
