package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import java.util.List;
import java.util.Map;

/**
 * What the operators of a cluster say about it and its workload manager does not.
 *
 * @param licences tokens in all, by name
 * @param windows maintenance and reservations made in advance
 */
public record SiteSettings(Map<String, Integer> licences, List<MaintenanceWindow> windows) {

    public static final SiteSettings NONE = new SiteSettings(Map.of(), List.of());

    public SiteSettings {
        licences = Map.copyOf(licences);
        windows = List.copyOf(windows);
    }
}
