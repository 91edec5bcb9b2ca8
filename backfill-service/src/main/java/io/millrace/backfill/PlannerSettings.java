package io.millrace.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.SiteSettings;
import io.millrace.model.ClusterId;
import java.util.Map;

/**
 * The settings with which all clusters are planned.
 *
 * @param policy of the planner
 * @param sites operator settings by cluster
 */
public record PlannerSettings(BackfillPolicy policy, Map<ClusterId, SiteSettings> sites) {

    public PlannerSettings {
        sites = Map.copyOf(sites);
    }

    SiteSettings site(final ClusterId cluster) {
        return sites.getOrDefault(cluster, SiteSettings.NONE);
    }
}
