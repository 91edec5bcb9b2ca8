/**
 * The Standard Workload Format of the Parallel Workloads Archive, version 2.2: comments with {@code ;}, then 18 figures per job,
 * -1 where a figure is not known. Real logs contain errors; lines that cannot be simulated are skipped and reported.
 */
@NullMarked
package io.millrace.simulator.swf;

import org.jspecify.annotations.NullMarked;
