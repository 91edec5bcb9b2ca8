package io.millrace.simulator;

/**
 * Cores that come to a cluster or leave it: nodes added, drained or failing.
 *
 * @param cluster its place in the scenario, from 0
 * @param cores more, or if negative fewer, from that time on
 */
public record Disturbance(long at_s, int cluster, int cores) {}
