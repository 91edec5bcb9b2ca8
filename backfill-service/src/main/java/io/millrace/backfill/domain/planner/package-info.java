/**
 * The planner: strict order, EASY, multiple reservations, conservative and checkpoint backfill as settings of one policy.
 *
 * <p>Decides which jobs start now, which hold a reservation, and which running jobs are preempted for the head job.
 * Reads a queue snapshot, arrivals and ends. Publishes a {@link io.millrace.backfill.domain.planner.Schedule} per pass.
 */
@NullMarked
package io.millrace.backfill.domain.planner;

import org.jspecify.annotations.NullMarked;
