package io.millrace.quota.domain.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaTerms;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** a request changes a quota only if it is based on the version in force. */
public final class QuotaRequests {

    /** The answer to a request. */
    public sealed interface Answer {

        record Granted(Quota quota) implements Answer {}

        /** @param quota the quota that is no longer in force */
        record Removed(Quota quota) implements Answer {}

        /** @param reason names the version in force and the remedy */
        record Refused(QuotaRequested request, String reason) implements Answer {}
    }

    /** Cores or GPUs of the largest quota; a larger number is a typing error. */
    public static final int MAX_CORES = 100_000_000;

    private QuotaRequests() {}

    public static Answer answer(final QuotaRequested request, final ActiveQuotas activeQuotas) {
        final Quota inForce = activeQuotas.find(request.heldBy(), request.cluster());
        final long version = inForce == null ? 0 : inForce.version();
        final Integer cores = request.cores();
        final Optional<String> flaw =
                cores == null ? Optional.empty() : flaw(cores).or(() -> flaw(request.cluster(), request.allTerms()));
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
        if (cores == null) {
            return removal(request, inForce);
        }
        return new Answer.Granted(Quota.of(
                request.heldBy(),
                request.cluster(),
                cores,
                request.allTerms(),
                request.author(),
                request.reason(),
                request.requestedAt(),
                version + 1));
    }

    /** A quota from the quota file would be in force again after the next start. */
    private static Answer removal(final QuotaRequested request, final @Nullable Quota inForce) {
        if (inForce == null) {
            return new Answer.Refused(request, "there is no quota " + request.key() + " to remove; see mgquota show");
        }
        return inForce.author().equals(QuotaFileMerge.FILE)
                ? new Answer.Refused(
                        request,
                        "the quota " + request.key()
                                + " comes from the quota file; remove its line there and restart quota-service")
                : new Answer.Removed(inForce);
    }

    private static Optional<String> flaw(final int cores) {
        if (cores < 0) {
            return Optional.of("a quota cannot be negative: " + cores + " cores");
        }
        return cores > MAX_CORES
                ? Optional.of(cores + " cores are too many: use at most " + MAX_CORES)
                : Optional.empty();
    }

    /** apply to quotas of one cluster only. */
    static Optional<String> flaw(final @Nullable ClusterId on, final QuotaTerms terms) {
        return on == null && (terms.borrowingLimit() != null || terms.lendingLimit() != null)
                ? Optional.of(
                        "borrowingLimit and lendingLimit apply to quotas of one cluster: remove them from the quota of all clusters")
                : Optional.empty();
    }
}
