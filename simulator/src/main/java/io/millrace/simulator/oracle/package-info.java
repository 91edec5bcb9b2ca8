/**
 * Holds simulated schedules against reference schedules of another simulator, job by job.
 *
 * <p>Reads a folder of traces and a folder of reference schedules ({@code TRACE-POLICY.csv}, packed or not). Announces for each how many starts
 * differ, and how fast the simulation was.
 */
@NullMarked
package io.millrace.simulator.oracle;

import org.jspecify.annotations.NullMarked;
