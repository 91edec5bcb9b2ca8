package io.millrace.model.policy;

import io.millrace.model.Event;

/** The events of {@code millrace.plans}: forecasts for jobs, placement offers, and the heartbeat of a decider. */
public sealed interface PlanEvent extends Event permits Plan, PlanClosed, PlacementOffered {}
