package io.millrace.backfill;

import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.live.SiteSettings;
import io.millrace.backfill.domain.live.StartSettings;
import io.millrace.model.ClusterId;
import java.util.Map;

/**
 * By what rules clusters are planned.
 *
 * @param policy the knobs of the planner
 * @param starts how starts are ordered and tried again
 * @param sites what operators say of their clusters, by cluster
 */
public record PlannerSettings(BackfillPolicy policy, StartSettings starts, Map<ClusterId, SiteSettings> sites) {

    public PlannerSettings {
        sites = Map.copyOf(sites);
    }

    SiteSettings site(final ClusterId cluster) {
        return sites.getOrDefault(cluster, SiteSettings.NONE);
    }
}
