package io.millrace.backfill.domain;

import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import java.util.List;
import java.util.Map;

/**
 * Operator settings of a cluster that its workload manager does not report.
 *
 * @param licences total tokens by licence
 * @param windows maintenance windows and advance reservations
 */
public record SiteSettings(Map<String, Integer> licences, List<MaintenanceWindow> windows) {

    public static final SiteSettings NONE = new SiteSettings(Map.of(), List.of());

    public SiteSettings {
        licences = Map.copyOf(licences);
        windows = List.copyOf(windows);
    }
}
