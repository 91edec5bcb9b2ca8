package io.millrace.model.policy;

import io.millrace.model.Event;

/** The family of {@code millrace.plans}: what a decider foresees for a job, what room for it would cost, and its sign of life for a cluster. */
public sealed interface PlanEvent extends Event permits Plan, PlanClosed, PlacementOffered {}
