package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import java.util.List;

/**
 * What an earlier pass reserved for a job; a planner made from scratch must be told, one with books of its own knows.
 *
 * @param start_s when it was to start at the latest
 * @param nodes on which; empty if any will do, or they are not known any more
 */
public record Promise(long start_s, List<NodeName> nodes) {

    public Promise {
        nodes = List.copyOf(nodes);
    }
}
