package io.millrace.simulator;

/** What happens to a cluster of itself, at a time in seconds; {@code cluster} is its place in the scenario, from 0. */
public sealed interface ClusterEvent {

    long at_s();

    int cluster();

    /**
     * Idle cores come to a cluster or leave it: nodes added, drained, repaired.
     *
     * @param cores more, or if negative fewer, from that time on
     */
    record Change(long at_s, int cluster, int cores) implements ClusterEvent {}

    /**
     * A node fails: who runs there is thrown off its cores, loses what it did since it started there, and waits again. What an earlier checkpoint saved
     * is kept.
     *
     * @param cores of the node; that many are gone until a {@link Change} brings them back
     * @param place where on the cluster it is, from 0 to below 1: cores in use come first, in the order of the starts
     */
    record Failure(long at_s, int cluster, int cores, double place) implements ClusterEvent {
        public Failure {
            if (cores < 1 || !(place >= 0 && place < 1)) {
                throw new IllegalArgumentException(
                        "a node that fails has at least 1 core, and a place from 0 to below 1;" + " got " + cores
                                + " and " + place);
            }
        }
    }
}
