package io.millrace.log.loop;

import io.millrace.decide.FollowedCluster;
import io.millrace.log.LogRecord;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.ClusterStateEvent;
import io.millrace.model.cluster.ClusterStateKey;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import java.util.function.Function;

/** Applies a record of cluster state, commands or outcomes to the cluster that a decider follows. */
public final class ClusterRecords {

    private ClusterRecords() {}

    /**
     * Takes it, if it is one.
     *
     * @param clusters the followed cluster of an id
     * @return whether it was one
     */
    public static boolean apply(final LogRecord read, final Function<ClusterId, FollowedCluster> clusters) {
        switch (read.topic()) {
            case CLUSTER_STATE -> {
                if (read.event() instanceof ClusterStateEvent event) {
                    clusters.apply(event.cluster()).observed(event);
                } else if (read.isTombstone()) {
                    clusters.apply(ClusterStateKey.of(read.key()).cluster()).gone(read.key());
                }
                return true;
            }
            case COMMANDS -> {
                if (read.event() instanceof Command command) {
                    clusters.apply(command.cluster()).issued(command, read.offset());
                }
                return true;
            }
            case OUTCOMES -> {
                if (read.event() instanceof Outcome outcome) {
                    clusters.apply(outcome.cluster()).answered(outcome);
                }
                return true;
            }
            default -> {
                return false;
            }
        }
    }
}
