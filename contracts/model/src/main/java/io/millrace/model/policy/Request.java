package io.millrace.model.policy;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.transfer.Place;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The family of {@code millrace.requests}: asking the one writer of a compacted key for a change. */
public sealed interface Request extends Event {

    /**
     * Asks quota-service for another quota.
     *
     * @param user whose; null if a project or group is to hold it
     * @param cluster null: on all clusters together
     * @param basedOn version the asker had seen (0: none); another version in force refuses the request
     * @param holder the project or group; null if a user is to hold it
     * @param terms null: none beyond the cores
     */
    record QuotaRequested(
            @Nullable UserName user,
            @Nullable ClusterId cluster,
            int cores,
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

        /** Asks for a user's cores on one cluster. */
        public QuotaRequested(
                final UserName user,
                final ClusterId on,
                final int cores,
                final UserName author,
                final String reason,
                final long basedOn,
                final Instant asked) {
            this(user, on, cores, author, reason, basedOn, asked, null, null);
        }

        /** Asks for the quota of whoever it is. */
        public static QuotaRequested of(
                final QuotaHolder holder,
                final @Nullable ClusterId on,
                final int cores,
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

    /** Asks transfer-service to bring a tree from one cluster to another. Asking twice is asking once. */
    record TransferRequested(
            TransferId id, AttemptId attempt, UserName owner, Place from, Place to, Instant requestedAt)
            implements Request {
        @Override
        public String key() {
            return id.value();
        }
    }

    /** Says that a transfer is no longer wanted. */
    record TransferCancelRequested(TransferId id, String reason, Instant requestedAt) implements Request {
        @Override
        public String key() {
            return id.value();
        }
    }

    /**
     * Asks quota-service for other rules of priority, in full.
     *
     * @param basedOn version the asker had seen (0: none); another version in force refuses the request
     */
    record PriorityRulesRequested(
            PriorityRules rules, UserName author, String reason, long basedOn, Instant requestedAt) implements Request {
        @Override
        public String key() {
            return PriorityRulesSet.KEY;
        }
    }
}
