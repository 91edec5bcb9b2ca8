package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;

/** The family of {@code millrace.cluster-state}; a tombstone under any of its keys means "gone from the view", nothing more. */
public sealed interface ClusterStateEvent extends Event
        permits ClusterConditions, JobObserved, NodeObserved, PartitionObserved, RevisionClosed, SiteMappingObserved {

    @Override
    ClusterId cluster();
}
