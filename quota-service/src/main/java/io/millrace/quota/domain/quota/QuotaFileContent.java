package io.millrace.quota.domain.quota;

import io.millrace.model.quota.QuotaHolder;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The content of the site's quota file.
 *
 * @param groups the members of each group
 */
public record QuotaFileContent(List<QuotaFileEntry> quotas, Map<QuotaHolder, Set<QuotaHolder>> groups) {

    public QuotaFileContent {
        quotas = List.copyOf(quotas);
        groups = Map.copyOf(groups);
    }

    public static QuotaFileContent of(final QuotaFileEntry... quotas) {
        return new QuotaFileContent(List.of(quotas), Map.of());
    }
}
