package io.millrace.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.Site;
import io.millrace.backfill.domain.StartRules;
import io.millrace.model.ClusterId;
import java.util.Map;

/**
 * By what rules clusters are planned.
 *
 * @param policy the knobs of the planner
 * @param starts how starts are ordered and tried again
 * @param sites what operators say of their clusters, by cluster
 */
public record Rules(BackfillPolicy policy, StartRules starts, Map<ClusterId, Site> sites) {

    public Rules {
        sites = Map.copyOf(sites);
    }

    Site site(final ClusterId cluster) {
        return sites.getOrDefault(cluster, Site.NONE);
    }
}
