/**
 * Generated workloads: number, width, length and arrival of jobs.
 *
 * <p>Reads a seed and returns jobs as a trace does. The same seed gives the same jobs on every machine: logarithms come from
 * {@code StrictMath}, random numbers from a generator with a fixed algorithm.
 */
@NullMarked
package io.millrace.simulator.workload;

import org.jspecify.annotations.NullMarked;
