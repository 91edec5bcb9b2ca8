package io.millrace.backfill.domain;

import java.util.List;
import java.util.Map;

/**
 * What the operators of a cluster say about it and its workload manager does not.
 *
 * @param licences tokens in all, by name
 * @param windows maintenance and reservations made in advance
 */
public record Site(Map<String, Integer> licences, List<Window> windows) {

    public static final Site NONE = new Site(Map.of(), List.of());

    public Site {
        licences = Map.copyOf(licences);
        windows = List.copyOf(windows);
    }
}
