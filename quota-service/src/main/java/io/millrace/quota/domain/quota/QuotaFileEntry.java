package io.millrace.quota.domain.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import org.jspecify.annotations.Nullable;

/**
 * A quota of the site's file.
 *
 * @param on null: all clusters
 */
public record QuotaFileEntry(@Nullable ClusterId on, QuotaHolder holder, int cores, QuotaTerms terms) {

    public QuotaFileEntry {
        if (cores < 0) {
            throw new IllegalArgumentException("a quota cannot be negative: " + cores + " cores for " + holder);
        }
        QuotaRequests.flaw(on, terms).ifPresent(flaw -> {
            throw new IllegalArgumentException(flaw);
        });
    }

    /** A user's cores on one cluster. */
    public QuotaFileEntry(final ClusterId on, final UserName user, final int cores) {
        this(on, QuotaHolder.of(user), cores, QuotaTerms.NONE);
    }

    public String key() {
        return Quota.keyOf(holder, on);
    }

    /** Whether the quota has the same cores and terms. */
    boolean matches(final Quota quota) {
        return quota.cores() == cores && quota.allTerms().equals(terms);
    }
}
