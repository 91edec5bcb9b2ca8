package io.millrace.model.quota;

import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user, project or group may spend: an amount in each period, and the processor time that running jobs may request at a time.
 *
 * @param holder null: each user without an own one
 * @param grants one per kind of period; empty: no budget
 * @param limitCoreSeconds sum of allocated cores x requested walltime of the running jobs of a user, or of each member of a group; null:
 *     no limit of its own
 * @param zone time zone of the periods of the site
 * @param author who set it
 * @param version counts the changes, from 1
 */
public record BudgetSet(
        @Nullable QuotaHolder holder,
        List<BudgetGrant> grants,
        @Nullable Long limitCoreSeconds,
        String zone,
        UserName author,
        String reason,
        Instant changedAt,
        long version)
        implements Event {

    private static final String PREFIX = "budget/";

    public BudgetSet {
        grants = List.copyOf(grants);
        requireSane(holder, grants, limitCoreSeconds);
    }

    /** @throws IllegalArgumentException if a period occurs twice, the limit is negative, or a project has one */
    public static void requireSane(
            final @Nullable QuotaHolder holder, final List<BudgetGrant> grants, final @Nullable Long limitCoreSeconds) {
        if (grants.stream().map(BudgetGrant::per).distinct().count() < grants.size()) {
            throw new IllegalArgumentException("a budget has one amount per kind of period: remove the other one");
        }
        if (limitCoreSeconds != null && limitCoreSeconds < 0) {
            throw new IllegalArgumentException("a limit of processor time cannot be negative");
        }
        if (limitCoreSeconds != null && holder != null && holder.kind() == QuotaHolder.Kind.PROJECT) {
            throw new IllegalArgumentException(
                    "a limit of processor time applies to users: set it for a user, a group or the default");
        }
    }

    /** @param holder null: the default */
    public static String keyOf(final @Nullable QuotaHolder holder) {
        return PREFIX + (holder == null ? Quota.EVERYWHERE : holder);
    }

    public static boolean isKey(final String key) {
        return key.startsWith(PREFIX);
    }

    public ZoneId siteZone() {
        return ZoneId.of(zone);
    }

    @Override
    public String key() {
        return keyOf(holder);
    }
}
