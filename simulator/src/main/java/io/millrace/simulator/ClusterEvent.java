package io.millrace.simulator;

/** An event that changes the capacity of a cluster, at a time in seconds; {@code cluster} is its index in the scenario, from 0. */
public sealed interface ClusterEvent {

    long at_s();

    int cluster();

    /**
     * Idle cores are added to a cluster or removed: nodes are added, drained or repaired.
     *
     * @param cores added cores, or removed ones if negative
     */
    record Change(long at_s, int cluster, int cores) implements ClusterEvent {}

    /**
     * A node fails: jobs that run on it lose the work since their start and are requeued. Work in an earlier checkpoint is kept.
     *
     * @param cores of the node; unavailable until a {@link Change} returns them
     * @param place position on the cluster, from 0 to below 1: cores in use come first, in the order of the starts
     */
    record Failure(long at_s, int cluster, int cores, double place) implements ClusterEvent {
        public Failure {
            if (cores < 1 || !(place >= 0 && place < 1)) {
                throw new IllegalArgumentException(
                        "a failing node must have at least 1 core and a place from 0 to below 1, got " + cores + " and "
                                + place);
            }
        }
    }
}
