/**
 * How fast the planners are: one planning pass of each service, measured with JMH.
 *
 * <p>Decides and announces nothing. The sizes stand in each benchmark's name and parameters; the worlds are seeded, so two runs
 * measure the same work.
 */
@NullMarked
package io.millrace.simulator.bench;

import org.jspecify.annotations.NullMarked;
