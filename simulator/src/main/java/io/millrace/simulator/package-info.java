/**
 * The simulator: workload logs on virtual clusters under a virtual clock.
 *
 * <p>The services' own planners decide. Reads a trace in the Standard Workload Format. Writes the start and end of each job, and a summary.
 * The same trace and options give the same bytes.
 */
@NullMarked
package io.millrace.simulator;

import org.jspecify.annotations.NullMarked;
