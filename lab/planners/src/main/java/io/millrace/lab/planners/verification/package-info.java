/**
 * Checks simulated schedules against reference schedules of another simulator, and quota plans against the quota rules.
 *
 * <p>Reads a folder of traces and a folder of reference schedules ({@code TRACE-POLICY.csv}, compressed or not). Prints how many starts
 * differ, and how fast the simulation is.
 */
@NullMarked
package io.millrace.lab.planners.verification;

import org.jspecify.annotations.NullMarked;
