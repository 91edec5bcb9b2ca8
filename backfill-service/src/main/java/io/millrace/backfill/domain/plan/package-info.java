/**
 * The plan of a cluster: strict order, EASY, multiple reservations, conservative and checkpoint backfill as settings of one policy, and the
 * forecast for the jobs that go on waiting.
 *
 * <p>Decides which jobs start now, which hold a reservation, and which running jobs are preempted for the head job.
 * Pure functions of a queue snapshot, a policy and a time; all fields are final, and nothing is kept between calls (ADR 66).
 */
@NullMarked
package io.millrace.backfill.domain.plan;

import org.jspecify.annotations.NullMarked;
