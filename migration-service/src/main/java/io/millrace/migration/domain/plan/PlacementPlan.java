package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.model.Veto;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The decisions of one pass over the waiting jobs.
 *
 * @param placements in the order of the decisions
 * @param blocked the groups that no cluster can start now, with the obstacle on each cluster
 * @param next when time alone changes the plan
 */
public record PlacementPlan(
        List<JobPlacement> placements, Map<WaitingGroup, List<Veto>> blocked, Optional<Instant> next) {}
