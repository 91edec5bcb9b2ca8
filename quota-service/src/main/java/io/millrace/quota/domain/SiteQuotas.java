package io.millrace.quota.domain;

import io.millrace.model.policy.QuotaHolder;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the site's file says.
 *
 * @param groups the members of each group
 */
public record SiteQuotas(List<QuotaFileEntry> quotas, Map<QuotaHolder, Set<QuotaHolder>> groups) {

    public SiteQuotas {
        quotas = List.copyOf(quotas);
        groups = Map.copyOf(groups);
    }

    public static SiteQuotas of(final QuotaFileEntry... quotas) {
        return new SiteQuotas(List.of(quotas), Map.of());
    }
}
