/**
 * The simulator: workload logs on virtual clusters under a virtual clock.
 *
 * <p>Decides nothing itself: the services' own planners do, through their views. Reads a trace in the Standard Workload Format.
 * Announces per job when it started and ended, and a summary. The same trace and options give the same bytes.
 */
@NullMarked
package io.millrace.simulator;

import org.jspecify.annotations.NullMarked;
