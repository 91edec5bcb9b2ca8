/**
 * Virtual clusters with quotas.
 *
 * <p>quota-service's own planner decides which jobs are held and which are preempted; this package executes its plans. Jobs start first fit
 * in the order of the planner's priorities.
 */
@NullMarked
package io.millrace.simulator.quota;

import org.jspecify.annotations.NullMarked;
