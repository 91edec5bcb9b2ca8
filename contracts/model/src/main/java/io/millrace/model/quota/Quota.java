package io.millrace.model.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The guaranteed cores of a user, project or group, on one cluster or on all clusters together.
 *
 * @param user the user; null if a project or group holds the quota
 * @param cluster null: on all clusters together
 * @param cores 0 means: everything that runs there is borrowed
 * @param author who set the quota
 * @param version counts the changes of this quota, from 1
 * @param holder the project or group that holds it; null if a user does
 * @param terms null: none beyond the cores
 */
public record Quota(
        @Nullable UserName user,
        @Nullable ClusterId cluster,
        int cores,
        UserName author,
        String reason,
        Instant changedAt,
        long version,
        @Nullable QuotaHolder holder,
        @Nullable QuotaTerms terms)
        implements Event {

    /** All clusters, in the key of a quota. */
    public static final String EVERYWHERE = "*";

    public Quota {
        if (cores < 0) {
            throw new IllegalArgumentException(
                    "a quota cannot be negative: " + cores + " cores for " + (user == null ? holder : user));
        }
        requireOne(user, holder);
    }

    /** A user's cores on one cluster. */
    public Quota(
            final UserName user,
            final ClusterId on,
            final int cores,
            final UserName author,
            final String reason,
            final Instant changed,
            final long version) {
        this(user, on, cores, author, reason, changed, version, null, null);
    }

    /** A quota of a user, project or group. */
    public static Quota of(
            final QuotaHolder holder,
            final @Nullable ClusterId on,
            final int cores,
            final QuotaTerms terms,
            final UserName author,
            final String reason,
            final Instant changed,
            final long version) {
        final boolean user = holder.kind() == QuotaHolder.Kind.USER;
        return new Quota(
                user ? UserName.of(holder.name()) : null,
                on,
                cores,
                author,
                reason,
                changed,
                version,
                user ? null : holder,
                terms.equals(QuotaTerms.NONE) ? null : terms);
    }

    /** @throws IllegalArgumentException unless exactly one of them is given */
    public static void requireOne(final @Nullable UserName user, final @Nullable QuotaHolder holder) {
        if ((user == null) == (holder == null) || (holder != null && holder.kind() == QuotaHolder.Kind.USER)) {
            throw new IllegalArgumentException(
                    "a quota has either a user or a holder that is a project or group, got user=" + user + " holder="
                            + holder);
        }
    }

    public static String keyOf(final QuotaHolder holder, final @Nullable ClusterId on) {
        return (on == null ? EVERYWHERE : on.value()) + "/" + holder;
    }

    public QuotaHolder heldBy() {
        return holder != null ? holder : QuotaHolder.of(Objects.requireNonNull(user));
    }

    public QuotaTerms allTerms() {
        return terms == null ? QuotaTerms.NONE : terms;
    }

    /** Cores that it guarantees at this instant. */
    public int coresAt(final Instant now) {
        return allTerms().periodAt(now).map(QuotaPeriod::cores).orElse(cores);
    }

    /** GPUs that it guarantees at this instant; empty if it does not count them. */
    public Optional<Integer> gpusAt(final Instant now) {
        return allTerms()
                .periodAt(now)
                .map(QuotaPeriod::gpus)
                .or(() -> Optional.ofNullable(allTerms().gpus()));
    }

    /** When its figures change next. */
    public Optional<Instant> nextChange(final Instant now) {
        return allTerms().nextChange(now);
    }

    @Override
    public String key() {
        return keyOf(heldBy(), cluster);
    }
}
