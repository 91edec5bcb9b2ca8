/**
 * Workloads made by chance: how many jobs, how wide, how long, when.
 *
 * <p>Decides nothing about schedules. Reads a seed. Announces jobs as a trace would; the same seed gives the same jobs on every machine, so
 * chance and logarithms come from {@code StrictMath} and a generator that is fixed by its algorithm.
 */
@NullMarked
package io.millrace.simulator.workload;

import org.jspecify.annotations.NullMarked;
