package io.millrace.model.policy;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.model.transfer.FilterRule;
import io.millrace.model.transfer.Place;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The events of {@code millrace.requests}: requests to the only writer of a compacted key. */
public sealed interface Request extends Event {

    /**
     * Requests a quota change from quota-service.
     *
     * @param user the user; null for a project or group
     * @param cluster null: on all clusters together
     * @param cores null: remove the quota
     * @param basedOn the version that the requester read (0: none); if another version is in force, the request is refused
     * @param holder the project or group; null if a user is to hold it
     * @param terms null: none beyond the cores
     */
    record QuotaRequested(
            @Nullable UserName user,
            @Nullable ClusterId cluster,
            @Nullable Integer cores,
            UserName author,
            String reason,
            long basedOn,
            Instant requestedAt,
            @Nullable QuotaHolder holder,
            @Nullable QuotaTerms terms)
            implements Request {

        public QuotaRequested {
            Quota.requireOne(user, holder);
        }

        /** A request for the quota of a user, project or group. */
        public static QuotaRequested of(
                final QuotaHolder holder,
                final @Nullable ClusterId on,
                final @Nullable Integer cores,
                final QuotaTerms terms,
                final UserName author,
                final String reason,
                final long basedOn,
                final Instant asked) {
            final boolean user = holder.kind() == QuotaHolder.Kind.USER;
            return new QuotaRequested(
                    user ? UserName.of(holder.name()) : null,
                    on,
                    cores,
                    author,
                    reason,
                    basedOn,
                    asked,
                    user ? null : holder,
                    terms.equals(QuotaTerms.NONE) ? null : terms);
        }

        public QuotaHolder heldBy() {
            return holder != null ? holder : QuotaHolder.of(Objects.requireNonNull(user));
        }

        public QuotaTerms allTerms() {
            return terms == null ? QuotaTerms.NONE : terms;
        }

        @Override
        public String key() {
            return Quota.keyOf(heldBy(), cluster);
        }
    }

    /**
     * Requests a change of a budget and limit of processor time from quota-service.
     *
     * @param holder null: the default of users
     * @param grants null: remove what a request has set
     * @param basedOn the version that the requester read (0: none); if another version is in force, the request is refused
     */
    record BudgetRequested(
            @Nullable QuotaHolder holder,
            @Nullable List<BudgetGrant> grants,
            @Nullable Long limitCoreSeconds,
            UserName author,
            String reason,
            long basedOn,
            Instant requestedAt)
            implements Request {

        public BudgetRequested {
            grants = grants == null ? null : List.copyOf(grants);
            BudgetSet.requireSane(holder, grants == null ? List.of() : grants, limitCoreSeconds);
        }

        @Override
        public String key() {
            return BudgetSet.keyOf(holder);
        }
    }

    /**
     * Requests the transfer of a directory tree between two clusters. Repeating the request has no effect.
     *
     * @param keepChangedSince files at the destination that changed at or after this time are not overwritten; null: all are
     * @param filter which files are copied; null: all
     * @param signature of the submission, which authorizes the copy
     */
    record TransferRequested(
            TransferId id,
            AttemptId attempt,
            UserName owner,
            Place from,
            Place to,
            Instant requestedAt,
            @Nullable Instant keepChangedSince,
            @Nullable List<FilterRule> filter,
            String signature)
            implements Request {

        public TransferRequested {
            filter = FilterRule.orNull(filter);
        }

        @Override
        public String key() {
            return id.value();
        }
    }

    /** Requests that a held transfer goes on; has no effect on another one. */
    record TransferReleaseRequested(TransferId id, UserName by, Instant requestedAt) implements Request {
        @Override
        public String key() {
            return id.value();
        }
    }

    /** Requests to cancel a transfer. */
    record TransferCancelRequested(TransferId id, String reason, Instant requestedAt) implements Request {
        @Override
        public String key() {
            return id.value();
        }
    }

    /**
     * Requests that migration-service drains, fences or opens a cluster.
     *
     * @param wanted OPEN (undrain), DRAINED or FENCED
     */
    record AvailabilityRequested(
            ClusterId cluster, ClusterAvailability.Status wanted, UserName author, String reason, Instant requestedAt)
            implements Request {

        public AvailabilityRequested {
            if (wanted == ClusterAvailability.Status.RETURNING) {
                throw new IllegalArgumentException("'RETURNING' cannot be requested; use OPEN, DRAINED or FENCED");
            }
        }

        @Override
        public String key() {
            return ClusterAvailability.keyOf(cluster);
        }
    }

    /**
     * Requests new priority rules, in full, from quota-service.
     *
     * @param basedOn the version that the requester read (0: none); if another version is in force, the request is refused
     */
    record PriorityRulesRequested(
            PriorityRules rules, UserName author, String reason, long basedOn, Instant requestedAt) implements Request {
        @Override
        public String key() {
            return PriorityRulesSet.KEY;
        }
    }

    /**
     * Requests another class model from classifier-service, or a preview of it.
     *
     * @param model YAML, as the guide to classification describes it
     * @param basedOn the version that the requester read; if another version is in force, a change is refused
     * @param preview true: classify the last jobs with the model, but do not change the one in force
     */
    record ClassModelRequested(
            String model, UserName author, String reason, long basedOn, Instant requestedAt, boolean preview)
            implements Request {
        @Override
        public String key() {
            return preview ? ClassModelChecked.keyOf(author) : ClassModelSet.KEY;
        }
    }
}
